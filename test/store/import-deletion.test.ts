import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { hasColumn, type Shape } from '../../src/store/transfer/document/shape.ts';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { SECTIONS } from '../../src/store/transfer/shape/all.ts';
import { knownCases } from '../cases/known-case.ts';
import { openTestDatabase } from '../support.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const now = new Date('2026-11-28T12:00:00Z');
const load = (organization: string, document: object) => importDocument(db, document, { organization, now });

/** The rows of a table, each as dead or alive. */
async function fatesOf(organization: string, table: string): Promise<string[]> {
  const rows = await db.prisma.$queryRawUnsafe<{ fate: string }[]>(
    `SELECT CASE WHEN deleted_at IS NULL THEN 'alive' ELSE to_char(deleted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') END AS fate
     FROM ${table} WHERE organization_id = (SELECT id FROM organizations WHERE name = $1) ORDER BY 1`,
    organization,
  );
  return rows.map(({ fate }) => fate);
}

const AT = { deleted_at: '2026-11-01T00:00:00Z' };
type Item = Record<string, unknown>;

/** One row of every table that knows deletions, named by its key, or by its content where it has none. */
const whole = (at: Item) => ({
  billing_entities: [
    { code: 'main', name: 'Main', is_default: true },
    { code: 'branch', name: 'Branch', ...at },
  ],
  taxes: [{ code: 'vat', rate: 20, ...at }],
  invoice_custom_sections: [{ code: 'note', name: 'Note', ...at }],
  billable_metrics: [
    { code: 'calls', filters: [{ key: 'region', values: ['eu'] }] },
    { code: 'old', filters: [{ key: 'region', values: ['eu'], ...at }], ...at },
  ],
  add_ons: [{ code: 'seat' }, { code: 'desk', ...at }],
  features: [{ code: 'sso' }, { code: 'export', privileges: [{ code: 'rows', ...at }], ...at }],
  plans: [
    {
      ...{ code: 'gone', interval: 'monthly', ...at },
      charges: [{ code: 'c', billable_metric_code: 'calls', filters: [{ values: { region: ['eu'] }, ...at }], ...at }],
      fixed_charges: [{ code: 'f', add_on_code: 'seat', ...at }],
      usage_thresholds: [{ amount_cents: 100, ...at }],
      entitlements: [{ feature_code: 'sso', ...at }],
    },
  ],
  alerts: [{ external_subscription_id: 's', code: 'spent', alert_type: 'current_usage_amount', ...at }],
  coupons: [{ code: 'less', coupon_type: 'percentage', percentage_rate: 10, ...at }],
  customers: [{ external_id: 'payer' }, { external_id: 'acct_1', name: 'Quayside', ...at }],
  payment_methods: [{ external_customer_id: 'payer', provider_type: 'stripe', provider_method_id: 'pm_1', ...at }],
  invoices: [
    {
      ...{ number: 'A-1', external_customer_id: 'payer', currency: 'EUR', issuing_date: '2026-10-01' },
      error_details: [{ error_code: 'tax_error', ...at }],
      fees: [{ item: { type: 'credit', name: 'Credit' }, units: '1', amount_cents: 100, ...at }],
    },
  ],
  events: [{ transaction_id: 't', external_subscription_id: 's', code: 'calls', timestamp: '2026-10-01', ...at }],
});

function mortal(shapes: readonly Shape[]): Shape[] {
  return shapes.flatMap((shape) => [
    ...(hasColumn(shape, 'deleted_at') ? [shape] : []),
    ...mortal(shape.children.map((child) => child.shape())),
  ]);
}
const TABLES = [...new Set(mortal(SECTIONS).map(({ table }) => table))].sort();

describe('deletions in an import', () => {
  it('GB-123: a row that its key names is deleted, instead of a dead twin beside it', async () => {
    const one = knownCases().find(({ id }) => id === 'GB-123');
    const { first, second }: { first: object; second: object } = one?.small_input.given ?? { first: {}, second: {} };
    await load('Quay', first);
    const answer = await load('Quay', second);
    expect([answer.created, answer.updated]).toEqual([{}, { customers: 1 }]);
    expect(await fatesOf('Quay', 'customers')).toEqual(['2026-11-01']);
    const again = await load('Quay', second);
    expect([again.created, again.updated, again.unchanged]).toEqual([{}, {}, 1]);
  });

  it('holds for every table that knows deletions, and a repeated import changes nothing', async () => {
    await load('All', whole({}));
    const before = await Promise.all(TABLES.map((table) => fatesOf('All', table)));
    const killed = await load('All', whole(AT));
    expect(killed.created).toEqual({});
    expect(Object.keys(killed.updated).sort()).toEqual(TABLES);
    const after = await Promise.all(TABLES.map((table) => fatesOf('All', table)));
    expect(after.map(({ length }) => length)).toEqual(before.map(({ length }) => length));
    for (const fates of after) expect(fates.filter((fate) => fate !== 'alive')).toEqual(['2026-11-01']);
    const again = await load('All', whole(AT));
    expect([again.created, again.updated]).toEqual([{}, {}]);
  });

  it('makes what was never stored as a dead row, once', async () => {
    await load('Never', { customers: [{ external_id: 'x', ...AT }] });
    const again = await load('Never', { customers: [{ external_id: 'x', ...AT }] });
    expect([again.created, again.updated]).toEqual([{}, {}]);
    expect(await fatesOf('Never', 'customers')).toEqual(['2026-11-01']);
  });

  it.each([
    ['before', [{ external_id: 'x', ...AT }, { external_id: 'x' }]],
    ['behind', [{ external_id: 'x' }, { external_id: 'x', ...AT }]],
  ])('leaves the living row that is listed %s it, also when it was stored before', async (title, customers) => {
    for (const name of [`New, ${title}`, `Known, ${title}`]) {
      if (name.startsWith('Known')) await load(name, { customers: [{ external_id: 'x' }] });
      await load(name, { customers });
      expect(await fatesOf(name, 'customers')).toEqual(['2026-11-01', 'alive']);
      const again = await load(name, { customers });
      expect([again.created, again.updated]).toEqual([{}, {}]);
    }
  });

  it('frees the key: one row dies and another takes its place, whether or not they have identifiers', async () => {
    const [old, next] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    const pairs: [string, object[]][] = [
      [
        'Second named',
        [
          { external_id: 'x', ...AT },
          { external_id: 'x', svc_id: next },
        ],
      ],
      ['First named', [{ external_id: 'x', svc_id: old, ...AT }, { external_id: 'x' }]],
    ];
    for (const [name, customers] of pairs) {
      const own = name.startsWith('First') ? { svc_id: old } : {};
      await load(name, { customers: [{ external_id: 'x', ...own }] });
      const answer = await load(name, { customers });
      expect([answer.created, answer.updated]).toEqual([{ customers: 1 }, { customers: 1 }]);
      expect(await fatesOf(name, 'customers')).toEqual(['2026-11-01', 'alive']);
      const again = await load(name, { customers });
      expect([again.created, again.updated]).toEqual([{}, {}]);
    }
  });

  it('tells deletions of one key apart by their moments', async () => {
    const died = (day: string) => ({ customers: [{ external_id: 'x', deleted_at: `2026-${day}T00:00:00Z` }] });
    const living = { customers: [{ external_id: 'x' }] };
    for (const document of [living, died('10-01'), living, died('11-01')]) await load('Twice', document);
    expect(await fatesOf('Twice', 'customers')).toEqual(['2026-10-01', '2026-11-01']);
    await load('Twice', living);
    await load('Twice', died('10-01'));
    expect(await fatesOf('Twice', 'customers')).toEqual(['2026-10-01', '2026-11-01', 'alive']);
  });
});
