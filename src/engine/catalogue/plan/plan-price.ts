import { codeChecks } from '../../../billing/catalogue/plan/price-code.ts';
import { type PriceList, priceList } from '../../../billing/catalogue/plan/price-list.ts';
import { gathered, within } from '../../../billing/errors.ts';
import type { Actor } from '../../../store/access/audit.ts';
import { removePrices } from '../../../store/catalogue/price-change.ts';
import type { TenantTransaction } from '../../../store/database/tenant.ts';
import type { Changed } from '../../changed.ts';
import { taxCodesOf } from '../price/new-price.ts';

/** What has become of a list of prices. */
interface Saved<Changes> {
  /** As overrides follow it. */
  readonly changes: Changes;
  /** Identifiers of prices that changed, came or went. */
  readonly ids: readonly string[];
  /** What the log keeps of them, before and after. */
  readonly before: readonly object[];
  readonly after: readonly object[];
  /** What the units of fixed charges changed besides. */
  readonly moved?: Changed;
}

type TaxIds = ReadonlyMap<string, string>;

/** How the whole list of a plan's prices, with what it names looked up, is read and stored. */
export interface PricesWrite<Changes> {
  /** Codes of taxes that it names. */
  readonly taxCodes: readonly string[];
  /** Throws one validation error with all that is wrong; what is read can be stored. */
  read(): { save(planId: string, taxes: TaxIds): Promise<Saved<Changes>> };
}

interface Sent {
  readonly id?: string | null;
  readonly taxCodes?: readonly string[] | null | undefined;
}

/** A kind of prices: what the list of a plan says of them, and how each of them changes and is made. */
interface PriceKind<Row, S extends Sent, Change, Fitting, Stored> {
  readonly kind: 'charge' | 'fixed_charge';
  /** What the list is called. */
  readonly list: string;
  /** Those that the plan has. */
  readonly rows: readonly Row[];
  readonly sent: readonly S[];
  /** What is said of a price that there is, and the check of it. */
  edit(row: Row, sent: S): { readonly after: { readonly code: string }; read(): Change };
  /** New prices of a plan that has other codes. Throws one validation error that names all that is wrong. */
  fit(created: PriceList<Row, S>['created'], taken: readonly string[]): readonly Fitting[];
  isUnchanged(change: Change): boolean;
  saveChanged(
    changes: readonly Change[],
    taxes: TaxIds,
  ): Promise<readonly { readonly before: object; readonly after: object }[]>;
  saveNew(
    planId: string,
    fitting: readonly Fitting[],
    taxes: TaxIds,
  ): Promise<readonly { readonly row: Stored; readonly record: object }[]>;
  /** What the log keeps of one that goes. */
  recordOf(row: Row): object;
  /** What follows once all are stored. */
  follow?(changed: readonly Change[], stored: readonly Stored[], fitting: readonly Fitting[]): Promise<Changed>;
}

/** Reads the whole list of one kind of a plan's prices, and says how it is stored: with all that is wrong told together. */
export function pricesWrite<
  Row extends { readonly id: string; readonly code: string },
  S extends Sent,
  Change extends { readonly row: { readonly id: string } },
  Fitting,
  Stored extends { readonly id: string },
>(tx: TenantTransaction, actor: Actor, of: PriceKind<Row, S, Change, Fitting, Stored>) {
  const { kept, created, removed, checks } = priceList(of.list, of.rows, of.sent, ({ id }) => id);
  const read = () => {
    const edits = kept.map(({ row, sent, at }) => ({ ...of.edit(row, sent), row, at }));
    const codes = edits.map(({ row, after, at }) => ({ before: row.code, after: after.code, at }));
    const taken = codes.map(({ after }) => after);
    const [changes, fitting] = gathered([
      () => gathered(edits.map((edit) => () => within(edit.at, edit.read))),
      () => of.fit(created, taken),
      () => gathered(checks),
      () => gathered(codeChecks(codes)),
    ]);
    const changed: readonly Change[] = changes.filter((one) => !of.isUnchanged(one));
    const save = async (planId: string, taxes: TaxIds) => {
      const gone = removed.map(({ id }) => id);
      const ended = await removePrices(tx, actor, of.kind, gone);
      const records = await of.saveChanged(changed, taxes);
      const made = await of.saveNew(planId, fitting, taxes);
      const stored = made.map(({ row }) => row);
      const recordsOf = (when: 'before' | 'after') =>
        changed.map(({ row }, at) => ({ id: row.id, ...records[at]?.[when] }));
      const moved = await of.follow?.(changed, stored, fitting);
      return {
        changes: { changed, created: stored, removed: ended },
        ids: [...ended, ...changed.map(({ row }) => row.id), ...stored.map(({ id }) => id)],
        before: [...removed.map(of.recordOf), ...recordsOf('before')],
        after: [...recordsOf('after'), ...made.map(({ record }) => record)],
        ...(moved && { moved }),
      };
    };
    return { save };
  };
  return { taxCodes: taxCodesOf(of.sent), read };
}
