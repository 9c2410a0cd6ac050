import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NUMBER_RANGES, numberRange } from '../../src/billing/catalogue/number-range.ts';
import type { Database } from '../../src/store/database/database.ts';
import { readValue } from '../../src/store/transfer/document/read-value.ts';
import { NUMBERS, type Shape } from '../../src/store/transfer/document/shape.ts';
import { ImportError, importDocument } from '../../src/store/transfer/import/import.ts';
import { importSchema } from '../../src/store/transfer/import/json-schema.ts';
import { SECTIONS } from '../../src/store/transfer/shape/all.ts';
import { openTestDatabase } from '../support.ts';

const shapes = new Map<string, Shape>();
function collect(shape: Shape): void {
  if (shapes.has(shape.name)) return;
  shapes.set(shape.name, shape);
  for (const child of shape.children) collect(child.shape());
}
for (const shape of SECTIONS) collect(shape);

const numbers = [...shapes.values()].flatMap((shape) =>
  shape.fields
    .filter(({ kind }) => NUMBERS.has(kind))
    .map((field) => [`${shape.name}.${field.column}`, shape, field] as const),
);

/** A number just beyond a bound, in whole steps where the column has no others. */
const beyond = (bound: string, step: bigint) => (bound.includes('e') ? bound : (BigInt(bound) + step).toString());

// What a preview supposes, and what follows from events.
const NOT_IMPORTED = new Set(['supposed_usage', 'daily_usage']);

describe('every number of an import', () => {
  test('has a range, and no range is left over', () => {
    expect(numbers.length).toBeGreaterThan(90);
    const named = new Set(numbers.map(([name]) => name));
    const listed = Object.entries(NUMBER_RANGES)
      .filter(([resource]) => !NOT_IMPORTED.has(resource))
      .flatMap(([resource, columns]) => Object.keys(columns).map((column) => `${resource}.${column}`));
    expect(listed.sort()).toEqual([...named].sort());
  });

  test.each(numbers)('%s is read within its range only', (_name, shape, field) => {
    const { least, above, most, below } = numberRange(shape.name, field.column);
    const out = { code: 'value_is_out_of_range' };
    expect(least ?? above).toBeDefined();
    expect(most ?? below).toBeDefined();
    if (least !== undefined) {
      expect(readValue(field, least)).toEqual({ value: least });
      expect(readValue(field, beyond(least, -1n))).toEqual(out);
    }
    if (most !== undefined) {
      expect(readValue(field, most)).toEqual({ value: most });
      expect(readValue(field, beyond(most, 1n))).toEqual(out);
    }
    for (const bound of [above, below]) if (bound !== undefined) expect(readValue(field, bound)).toEqual(out);
    expect(readValue(field, 'Infinity')).toEqual({ code: 'value_is_invalid' });
  });

  test.each(numbers)('%s shows its bounds in the JSON Schema', (_name, shape, field) => {
    const definitions = importSchema().$defs as Record<string, Record<string, unknown>>;
    let inner: Record<string, unknown> = definitions[shape.name] ?? {};
    for (const name of field.member.split('.')) {
      inner = (inner.properties as Record<string, Record<string, unknown>>)[name] ?? {};
    }
    const { least, above, most, below } = numberRange(shape.name, field.column);
    const number = (text?: string) => (text === undefined ? undefined : Number(text));
    expect([inner.minimum, inner.exclusiveMinimum, inner.maximum, inner.exclusiveMaximum]).toEqual(
      [least, above, most, below].map(number),
    );
  });
});

describe('what is out of range is refused with its place', () => {
  let db: Database;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterAll(async () => db.close());

  const plan = (members: object) => ({ plans: [{ code: 'p', interval: 'monthly', ...members }] });
  const customers = [{ external_id: 'c' }];

  test.each<[string, object]>([
    ['taxes[0].rate', { taxes: [{ code: 't', rate: -20 }] }],
    ['billing_entities[0].net_payment_term', { billing_entities: [{ code: 'b', net_payment_term: -30 }] }],
    ['customers[0].net_payment_term', { customers: [{ external_id: 'c', net_payment_term: 2_000_000_000 }] }],
    ['customers[0].invoice_grace_period', { customers: [{ external_id: 'c', invoice_grace_period: 4000 }] }],
    ['plans[0].trial_period', plan({ trial_period: 1_000_000_000 })],
    [
      'plans[0].fixed_charges[0].units',
      { add_ons: [{ code: 'a' }], ...plan({ fixed_charges: [{ add_on_code: 'a', units: '-2' }] }) },
    ],
    [
      'subscriptions[0].plan_overrides.trial_period',
      {
        ...plan({}),
        customers,
        subscriptions: [
          { external_id: 's', external_customer_id: 'c', plan_code: 'p', plan_overrides: { trial_period: -1 } },
        ],
      },
    ],
    ['wallets[0].rate_amount', { customers, wallets: [{ external_customer_id: 'c', rate_amount: '0' }] }],
    // What is computed from given numbers is checked as if it were given.
    [
      'credit_notes[0].sub_total_excluding_taxes_amount_cents',
      {
        customers,
        invoices: [{ number: 'A-1', external_customer_id: 'c' }],
        credit_notes: [{ invoice_number: 'A-1', taxes_amount_cents: 5 }],
      },
    ],
  ])('%s', async (place, document) => {
    const error = await importDocument(db, document, { organization: 'Ranges', now: new Date('2026-05-01') }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).faults).toEqual([{ place, codes: ['value_is_out_of_range'] }]);
    expect(await db.prisma.organization.count({ where: { name: 'Ranges' } })).toBe(0);
  });
});

describe('values of events', () => {
  let db: Database;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterAll(() => db?.close());

  const document = (value: unknown, aggregation_type = 'sum_agg') => ({
    billing_entities: [{ code: 'main', name: 'Main', is_default: true }],
    billable_metrics: [{ code: 'bytes', name: 'Bytes', aggregation_type, field_name: 'value' }],
    events: [
      { transaction_id: 'one', external_subscription_id: 's', code: 'bytes', properties: { value: '1' } },
      { transaction_id: 'two', external_subscription_id: 's', code: 'bytes', properties: { value, note: 'x' } },
    ],
  });

  test('are refused where a metric would read more units than a fee can have', async () => {
    const store = (organization: string, ...made: Parameters<typeof document>) =>
      importDocument(db, document(...made), { organization, now: new Date('2026-06-11T12:00:00Z') });
    const refused = store('Beyond', '9'.repeat(400));
    await expect(refused).rejects.toBeInstanceOf(ImportError);
    await expect(refused).rejects.toMatchObject({
      faults: [{ place: 'events[1].properties', codes: ['value_is_out_of_range'] }],
    });
    await expect(store('Within', '9'.repeat(35))).resolves.toBeDefined();
    await expect(store('Text', '9'.repeat(400), 'unique_count_agg')).resolves.toBeDefined();
  });
});
