import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { everything } from '../../graphql/write/snapshot.ts';
import { createTestApp, type TestApp } from '../../support.ts';
import { NOT_FOUND } from '../guarded.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const LATER = '2026-09-01T00:00:00Z';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  const plan = (code: string, amount_cents: number) => ({
    ...{ code, interval: 'monthly', amount_cents, amount_currency: 'EUR', pay_in_advance: true },
  });
  const started = { subscription_at: '2026-01-01T00:00:00Z', started_at: '2026-01-01T00:00:00Z' };
  const document = {
    organization: { name },
    customers: [{ external_id: 'cust', currency: 'EUR' }],
    plans: [plan('small', 3000), plan('big', 9000)],
    subscriptions: [
      { external_id: 'runs', external_customer_id: 'cust', plan_code: 'small', status: 'active', ...started },
      { external_id: 'ended', external_customer_id: 'cust', plan_code: 'small', status: 'terminated', ...started },
    ],
  };
  await importDocument(app.db, document, { organization: name, now: NOW });
});
afterAll(() => app?.close());

const NEW = { external_customer_id: 'cust', external_id: 'new', plan_code: 'small' };
const post = (members: object) => app.rest('POST', '/subscriptions', { subscription: { ...NEW, ...members } });
const put = (path: string, subscription: object) => app.rest('PUT', `/subscriptions/${path}`, { subscription });
const end = (path: string) => app.rest('DELETE', `/subscriptions/${path}`);
const refused = (error_details: object) => ({
  ...{ status: 422, error: 'Unprocessable entity', code: 'validation_errors', error_details },
});

describe('404, whatever else is wrong', () => {
  it.each([
    ['an unknown plan', () => post({ plan_code: 'nope', ending_at: '2020-01-01T00:00:00Z' })],
    ['an unknown billing entity', () => post({ billing_entity_code: 'nope' })],
    ['a change of an unknown one', () => put('nope', { on_termination_invoice: 'perhaps' })],
    ['a change of one that has ended', () => put('ended', { name: 'N' })],
    ['a change of a running one as one that waits', () => put('runs?status=pending', { name: 'N' })],
    ['the end of an unknown one', () => end('nope')],
    ['the end of one that has ended', () => end('ended')],
    ['the end of a running one as one that waits', () => end('runs?status=pending')],
  ])('%s', async (_name, call) => {
    const before = await everything(app.db);
    expect((await call()).body).toEqual(NOT_FOUND);
    expect(await everything(app.db)).toEqual(before);
  });
});

describe('422, and nothing is written', () => {
  const CHOICES = { on_termination_invoice: ['invalid_value'], on_termination_credit_note: ['invalid_value'] };
  const chosen = { on_termination_invoice: 'perhaps', on_termination_credit_note: 'perhaps' };
  const of = (names: readonly string[], code: string) => Object.fromEntries(names.map((name) => [name, [code]]));
  const members = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { any: 'thing' }]));
  const ALWAYS = [...['activation_rules', 'payment_method', 'invoice_custom_section']];
  const STAYS = [...ALWAYS, 'subscription_at', 'billing_entity_code'];
  it.each([
    ['choices of a new one', () => post(chosen), CHOICES],
    ['choices of a change', () => put('runs', chosen), CHOICES],
    ['choices of an end', () => end(`runs?${new URLSearchParams(chosen)}`), CHOICES],
    [
      'dates that are none',
      () => post({ ending_at: 'soon', subscription_at: 'now' }),
      of(['ending_at', 'subscription_at'], 'invalid_date'),
    ],
    ['an end that is past', () => post({ ending_at: '2026-06-15T23:00:00Z' }), { ending_at: ['invalid_date'] }],
    [
      'an end before the start',
      () => post({ subscription_at: LATER, ending_at: '2026-08-01T00:00:00Z' }),
      { ending_at: ['invalid_date'] },
    ],
    [
      'an end that a change sets too early',
      () => put('runs', { ending_at: '2026-01-01T00:00:00Z' }),
      { ending_at: ['invalid_date'] },
    ],
    [
      'identifiers that are blank',
      () => post({ external_id: ' ', external_customer_id: '' }),
      of(['external_id', 'external_customer_id'], 'value_is_mandatory'),
    ],
    ['what is not taken yet of a new one', () => post(members(ALWAYS)), of(ALWAYS, 'feature_unavailable')],
    ['what is not taken of a change', () => put('runs', members(STAYS)), of(STAYS, 'feature_unavailable')],
  ] as const)('%s', async (_name, call, details) => {
    const before = await everything(app.db);
    expect((await call()).body).toEqual(refused(details));
    expect(await everything(app.db)).toEqual(before);
  });

  it('an external identifier that another customer has', async () => {
    const { body } = await post({ external_id: 'runs', external_customer_id: 'other' });
    expect(body).toEqual(refused({ external_id: ['value_already_exist'] }));
    expect(await app.db.prisma.customer.count({ where: { externalId: 'other' } })).toBe(0);
  });
});

describe('one that waits for its date', () => {
  it('is changed and given up by saying so, and takes another plan', async () => {
    const { body } = await post({ external_id: 'waits', subscription_at: LATER });
    expect(body.subscription).toMatchObject({ status: 'pending', plan_code: 'small', started_at: null });
    expect((await put('waits', { name: 'N' })).status).toBe(404);
    const changed = await put('waits?status=pending', { name: 'Harbour', ending_at: '2026-12-31T00:00:00Z' });
    expect(changed.body.subscription).toMatchObject({
      ...{ status: 'pending', name: 'Harbour', ending_at: '2026-12-31T00:00:00Z', subscription_at: LATER },
    });
    const other = await post({ external_id: 'waits', plan_code: 'big' });
    expect(other.body.subscription).toMatchObject({ status: 'pending', plan_code: 'big', name: 'Harbour' });
    expect((await end('waits?status=pending')).body.subscription).toMatchObject({
      external_id: 'waits',
      status: 'canceled',
    });
    expect(await app.db.prisma.invoice.count()).toBe(0);
  });
});

describe('what is only tried', () => {
  const INVOICES = 'changes { invoices(first: 2) { nodes { number totalAmountCents } } }';
  const subscribe = (dryRun: boolean) =>
    app.graphql(
      `mutation ($input: CreateSubscriptionInput!, $dryRun: Boolean) {
        createSubscription(input: $input, dryRun: $dryRun) { status ${INVOICES} }
      }`,
      { dryRun, input: { externalCustomerId: 'cust', externalId: 'tried', planCode: 'big' } },
    );
  const invoicesOf = ({ data }: Awaited<ReturnType<typeof subscribe>>) =>
    data.createSubscription.changes.invoices.nodes;

  it('shows the invoice and takes no number', async () => {
    const before = await everything(app.db);
    const [tried] = invoicesOf(await subscribe(true));
    const [again] = invoicesOf(await subscribe(true));
    // 16 of the 30 days of June.
    expect([tried, again]).toEqual(Array(2).fill({ number: '', totalAmountCents: '4800' }));
    expect(await everything(app.db)).toEqual(before);
    const [made] = invoicesOf(await subscribe(false));
    expect(made).toEqual({ number: expect.stringMatching(/-001$/), totalAmountCents: '4800' });
  });
});
