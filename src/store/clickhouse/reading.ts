import { setImmediate as turn } from 'node:timers/promises';
import { advanceWindow } from '../../billing/aggregate/advance-usage.ts';
import { usageWindow } from '../../billing/aggregate/bucket.ts';
import type { UsageAsked, UsageGroup } from '../../billing/aggregate/metric-usage.ts';
import { isAddedUp } from '../../billing/aggregate/usage-total.ts';
import { filterOrder } from '../../billing/catalogue/filter.ts';
import type { UsageEvent } from '../../billing/usage/usage.ts';
import { inTurn } from '../database/attempt.ts';
import { type KeptMetric, splitOf, supposedJson } from '../usage/event-sql.ts';
import type { UsageReader, UsageReading } from '../usage/event-store.ts';
import { foldAdvance, foldGroups, type ReadPages, tooManyGroups } from '../usage/fold-usage.ts';
import { groupsOf, type TotalsRow, totalsOf } from '../usage/stored-group.ts';
import type { Connection, Row } from './connection.ts';
import { keptSql } from './event-sql.ts';
import { joined, sql } from './sql.ts';
import { totalsSql } from './total-sql.ts';

const PAGE = 2000;

type Text = string | null;

function totalsRow([bucket, values, isPart, part, first, isOdd, used, counted, ...totals]: Row): TotalsRow {
  const [value, before, weighted, amounts, lastAt] = totals as [Text, Text, Text, Text, number | null];
  return totalsOf([
    ...([Number(bucket), values as Text[], isPart ? (part as Text[]) : null] as const),
    ...([Number(first), Boolean(isOdd), Number(used), Number(counted)] as const),
    ...([value, before, weighted, amounts, lastAt] as const),
  ]);
}

function eventOf([timestamp, createdAt, id, amount, ...texts]: Row, names: readonly string[]): UsageEvent {
  const properties = names.flatMap((name, at) => (texts[at] === null ? [] : [[name, texts[at]] as const]));
  return {
    ...{ timestamp: Number(timestamp), createdAt: Number(createdAt), id: String(id) },
    ...{ properties: Object.fromEntries(properties), preciseTotalAmountCents: amount as Text },
  };
}

/** Events in their one order, with the texts of their properties, as they come. */
const pagesBy = (connection: Connection, { signalOf }: UsageReader, metric: KeptMetric): ReadPages =>
  async function* (window, names) {
    const texts = names.map((key) => sql`, if(mapContains(texts, ${key}), texts[${key}], NULL)`);
    const select = sql`SELECT at, created_at, id, amount ${joined(texts, '')} FROM ${keptSql({ metric, window })}
      ORDER BY at, created_at, toString(id)`;
    for await (const rows of connection.stretches(select, signalOf)) {
      for (let from = 0; from < rows.length; from += PAGE) {
        yield rows.slice(from, from + PAGE).map((row) => eventOf(row, names));
        await turn();
      }
    }
  };

/** What the store adds up by one statement; null where the events are needed one by one. */
async function addUp(
  connection: Connection,
  { mostGroups, signalOf }: UsageReader,
  metric: KeptMetric,
  asked: UsageAsked,
): Promise<readonly UsageGroup[] | null> {
  const order = filterOrder(asked.charge.filters, asked.charge.metric.filters);
  const { until, supposed = [] } = asked;
  if (!isAddedUp(asked) || order === null || supposedJson(supposed) === null) return null;
  const totals = { asked, read: { metric, window: usageWindow(asked), until, supposed }, split: splitOf(asked, order) };
  const rows = (await connection.rows(totalsSql(totals, mostGroups), signalOf)).map(totalsRow);
  if (rows.length > mostGroups) throw tooManyGroups(mostGroups);
  return rows.some(({ isOdd }) => isOdd) ? null : groupsOf(asked, totals.split, rows);
}

/** Usage of an organization: added up by ClickHouse where totals are enough, else folded while it is read. */
export function readingOf(connection: Connection, reader: UsageReader, organizationId: string): UsageReading {
  const of = ([externalSubscriptionId, code]: readonly [string, string]): KeptMetric => ({
    ...{ organizationId, externalSubscriptionId, code },
  });
  const turn = inTurn(); // what is folded takes memory for a page, and not for all that is asked for at one time
  const groupsBy = async (metric: KeptMetric, asked: UsageAsked) => {
    const added = await addUp(connection, reader, metric, asked);
    return added ?? foldGroups(pagesBy(connection, reader, metric), asked, usageWindow(asked), reader.mostGroups);
  };
  return {
    groups: (metric, asked) => turn(() => groupsBy(of(metric), asked)),
    advance: (metric, asked) => foldAdvance(pagesBy(connection, reader, of(metric)), asked, advanceWindow(asked)),
  };
}
