import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importDocument } from '../../../src/store/transfer/import/import.ts';
import { everything } from '../../graphql/write/snapshot.ts';
import { createTestApp, type TestApp } from '../../support.ts';
import { NOT_FOUND } from '../guarded.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const LATER = '2026-09-01T00:00:00Z';

const METHOD = '01980000-0000-7000-8000-0000000000a1';
const OTHERS_METHOD = '01980000-0000-7000-8000-0000000000a2';

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
    billing_entities: [
      { code: 'here', is_default: true, invoice_custom_section_codes: ['house'] },
      { code: 'branch', document_number_prefix: 'BRA', invoice_custom_section_codes: ['branch'] },
    ],
    invoice_custom_sections: ['house', 'branch', 'own'].map((code) => ({ code, name: code, details: `${code} text` })),
    customers: [
      { external_id: 'cust', currency: 'EUR' },
      { external_id: 'payer', currency: 'EUR' },
      { external_id: 'else', currency: 'EUR' },
    ],
    payment_methods: [
      { svc_id: METHOD, external_customer_id: 'payer', is_default: true },
      { svc_id: OTHERS_METHOD, external_customer_id: 'else', is_default: true },
    ],
    add_ons: [{ code: 'setup', name: 'Setup', amount_cents: 1000, amount_currency: 'EUR' }],
    plans: [plan('small', 3000), plan('big', 9000)],
    subscriptions: [
      { external_id: 'runs', external_customer_id: 'cust', plan_code: 'small', status: 'active', ...started },
      {
        ...{ external_id: 'waiting', external_customer_id: 'cust', plan_code: 'small', status: 'pending' },
        ...{ subscription_at: LATER, ending_at: '2026-12-01T00:00:00Z' },
      },
      { external_id: 'ended', external_customer_id: 'cust', plan_code: 'small', status: 'terminated', ...started },
      { external_id: 'twice', external_customer_id: 'cust', plan_code: 'small', status: 'terminated', ...started },
      {
        ...{ external_id: 'twice', external_customer_id: 'cust', plan_code: 'small', status: 'pending' },
        subscription_at: LATER,
      },
    ],
  };
  await importDocument(app.db, document, { organization: name, now: NOW });
});
afterAll(() => app?.close());

const NEW = { external_customer_id: 'cust', external_id: 'new', plan_code: 'small' };
const post = (members: object) => app.rest('POST', '/subscriptions', { subscription: { ...NEW, ...members } });
const put = (path: string, subscription: object) => app.rest('PUT', `/subscriptions/${path}`, { subscription });
const end = (path: string, body?: object) => app.rest('DELETE', `/subscriptions/${path}`, body);
const refused = (error_details: object) => ({
  ...{ status: 422, error: 'Unprocessable entity', code: 'validation_errors', error_details },
});

describe('404, whatever else is wrong', () => {
  it.each([
    ['an unknown plan', () => post({ plan_code: 'nope', ending_at: '2020-01-01T00:00:00Z' })],
    ['an unknown billing entity', () => post({ billing_entity_code: 'nope' })],
    [
      'a change to an unknown billing entity',
      () => put('runs', { billing_entity_code: 'nope', ending_at: '2020-01-01' }),
    ],
    ['a change of an unknown one', () => put('nope', { on_termination_invoice: 'perhaps' })],
    ['a change without its body', () => app.rest('PUT', '/subscriptions/nope', {})],
    ['another price without its body', () => app.rest('PUT', '/subscriptions/nope/charges/a', {})],
    ['other units without their body', () => app.rest('PUT', '/subscriptions/nope/fixed_charges/a', {})],
    ['an alert without its body', () => app.rest('POST', '/subscriptions/nope/alerts', {})],
    ['another alert without its body', () => app.rest('PUT', '/subscriptions/nope/alerts/a', {})],
    ['a filter without its body', () => app.rest('POST', '/subscriptions/nope/charges/a/filters', {})],
    ['a change of one that has ended', () => put('ended', { name: 'N' })],
    ['a change of one of several that waits', () => put('twice', { name: 'N' })],
    ['a change of a running one as one to be paid', () => put('runs?status=incomplete', { name: 'N' })],
    ['the end of an unknown one by a body', () => end('nope', { on_termination_invoice: 'perhaps' })],
    ['the end of a running one as one that waits, by a body', () => end('runs', { status: 'pending' })],
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
  const NO_METHOD = { payment_method: ['invalid_payment_method'] };
  const paidBy = (payment_method_type: string, payment_method_id?: string) => ({
    payment_method: { payment_method_type, payment_method_id },
  });
  it.each([
    ['choices of a new one', () => post(chosen), CHOICES],
    ['choices of a change', () => put('runs', chosen), CHOICES],
    ['choices of an end', () => end(`runs?${new URLSearchParams(chosen)}`), CHOICES],
    ['choices of an end by a body', () => end('runs', chosen), CHOICES],
    [
      'choices of an end of another kind',
      () => end('runs', { on_termination_invoice: 7 }),
      of(['on_termination_invoice'], 'invalid_value'),
    ],
    [
      'choices of an end of which the query counts',
      () => end('runs?on_termination_invoice=perhaps', { on_termination_invoice: 'skip' }),
      of(['on_termination_invoice'], 'invalid_value'),
    ],
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
    ['a method of nobody', () => post(paidBy('provider', app.organizationId)), NO_METHOD],
    ["another customer's method", () => put('runs', paidBy('provider', OTHERS_METHOD)), NO_METHOD],
    ['a method for what is paid by hand', () => put('runs', paidBy('manual', METHOD)), NO_METHOD],
    ['a method that is no form of one', () => post({ payment_method: { payment_method_id: 'card' } }), NO_METHOD],
    [
      'a date that is none, and one after its end',
      () => put('waiting?status=pending', { subscription_at: 'soon' }),
      of(['subscription_at'], 'invalid_date'),
    ],
    [
      'a date after the end',
      () => put('waiting?status=pending', { subscription_at: '2026-12-31T00:00:00Z' }),
      of(['ending_at'], 'invalid_date'),
    ],
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

  it('an external identifier that another customer has, whether it runs or waits', async () => {
    const taken = refused({ external_id: ['value_already_exist'] });
    const LATEST = { subscription_at: '2026-10-01T00:00:00Z' };
    expect((await post({ external_id: 'waiting', external_customer_id: 'else' })).body).toEqual(taken);
    expect((await post({ external_id: 'waiting', external_customer_id: 'else', ...LATEST })).body).toEqual(taken);
    expect((await post({ external_id: 'runs', external_customer_id: 'else', ...LATEST })).body).toEqual(taken);
  });

  it('of two customers who ask for an external identifier at one moment, one', async () => {
    const asked = ['cust', 'payer', 'else', 'cust'].map((external_customer_id) =>
      post({ external_id: 'sought', external_customer_id, subscription_at: LATER }),
    );
    const answers = await Promise.all(asked);
    const rows = await app.db.prisma.subscription.findMany({ where: { externalId: 'sought' } });
    expect(new Set(rows.map(({ customerId }) => customerId)).size).toBe(1);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 422)).toEqual([]);
    await app.db.prisma.subscription.deleteMany({ where: { externalId: 'sought' } });
  });
});

describe('one that waits for its date', () => {
  it('is changed and given up by saying so, and takes another plan', async () => {
    const { body } = await post({ external_id: 'waits', subscription_at: LATER });
    expect(body.subscription).toMatchObject({ status: 'pending', plan_code: 'small', started_at: null });
    // The only one of its name is meant in whatever state.
    expect((await put('waits', { name: 'N' })).body.subscription).toMatchObject({ status: 'pending', name: 'N' });
    expect((await put('waits', { ending_at: 'soon' })).body).toEqual(refused({ ending_at: ['invalid_date'] }));
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

describe('how one ends', () => {
  const notesOf = (externalId: string) =>
    app.db.prisma.creditNote.findMany({
      where: { customer: { externalId } },
      select: { creditAmountCents: true, refundAmountCents: true },
    });
  const begin = async (name: string) => {
    const { status } = await post({ external_customer_id: name, external_id: name, plan_code: 'small' });
    expect(status).toBe(200);
  };

  it.each([
    ['by a body', '', { on_termination_credit_note: 'skip' }, []],
    ['by the query', '?on_termination_credit_note=skip', undefined, []],
    [
      'by the query, whatever the body says',
      '?on_termination_credit_note=skip',
      { on_termination_credit_note: 'credit' },
      [],
    ],
    ['as it says itself', '', {}, [{ creditAmountCents: 1500n, refundAmountCents: 0n }]],
  ])('is said %s', async (name, query, body, notes) => {
    await begin(name);
    expect((await end(encodeURIComponent(name) + query, body)).body.subscription).toMatchObject({
      status: 'terminated',
    });
    expect(await notesOf(name)).toEqual(notes);
  });

  it('is given up where the body says that it waits', async () => {
    await post({ ...NEW, external_id: 'later', subscription_at: LATER });
    const { body } = await end('later', { status: 'pending' });
    expect(body.subscription).toMatchObject({ external_id: 'later', status: 'canceled' });
  });
});

const PAYER = { external_customer_id: 'payer', plan_code: 'small' };
const invoicesOf = (externalId: string) =>
  app.db.prisma.invoice.findMany({
    where: { billingPeriods: { some: { subscription: { externalId } } } },
    select: { number: true, appliedInvoiceCustomSections: { select: { code: true, details: true } } },
    orderBy: { number: 'asc' },
  });

describe('the date of one that waits', () => {
  const dated = (subscription_at: string) => put('dated?status=pending', { subscription_at });

  it('becomes another, and it starts and bills where that is today', async () => {
    await post({ ...PAYER, external_id: 'dated', subscription_at: LATER });
    const moved = await dated('2026-08-01T00:00:00Z');
    expect(moved.body.subscription).toMatchObject({ status: 'pending', subscription_at: '2026-08-01T00:00:00Z' });
    expect(await invoicesOf('dated')).toEqual([]);
    const begun = await dated('2026-06-15T08:00:00Z');
    const start = { subscription_at: '2026-06-15T08:00:00Z', started_at: '2026-06-15T08:00:00Z' };
    expect(begun.body.subscription).toMatchObject({ status: 'active', ...start });
    expect(await invoicesOf('dated')).toHaveLength(1);
  });

  it('that is past bills nothing of the days before, and one that runs keeps its date', async () => {
    await post({ ...PAYER, external_id: 'past', subscription_at: LATER });
    expect((await put('past?status=pending', { subscription_at: '2026-06-01T00:00:00Z' })).body).toMatchObject({
      subscription: { status: 'active', started_at: '2026-06-01T00:00:00Z' },
    });
    expect(await invoicesOf('past')).toEqual([]);
    const { body } = await put('past', { subscription_at: LATER });
    expect(body.subscription).toMatchObject({ status: 'active', subscription_at: '2026-06-01T00:00:00Z' });
  });
});

describe('who bills it, what collects it and what is printed', () => {
  it('are said of a new one, and change', async () => {
    const method = { payment_method_type: 'provider', payment_method_id: METHOD };
    const first = await post({
      ...{ ...PAYER, external_id: 'all', billing_entity_code: 'branch', payment_method: method },
      invoice_custom_section: { invoice_custom_section_codes: ['own', 'unknown'] },
    });
    const codes = ({ body }: typeof first) =>
      body.subscription.applied_invoice_custom_sections.map(
        (one: { invoice_custom_section: { code: string } }) => one.invoice_custom_section.code,
      );
    expect(first.body.subscription).toMatchObject({ billing_entity_code: 'branch', payment_method: method });
    expect(codes(first)).toEqual(['own']);
    const own = {
      number: expect.stringMatching(/^BRA-/),
      appliedInvoiceCustomSections: [{ code: 'own', details: 'own text' }],
    };
    expect(await invoicesOf('all')).toEqual([own]);

    const manual = { payment_method_type: 'manual', payment_method_id: null };
    const changed = await put('all', {
      ...{ billing_entity_code: 'here', payment_method: { payment_method_type: 'manual' } },
      invoice_custom_section: { skip_invoice_custom_sections: true, invoice_custom_section_codes: ['house'] },
    });
    expect(changed.body.subscription).toMatchObject({ billing_entity_code: 'here', payment_method: manual });
    expect(codes(changed)).toEqual([]);
    // A dearer plan follows: it is billed, paid and printed as the one that it follows.
    const { body } = await post({ ...PAYER, external_id: 'all', plan_code: 'big' });
    expect(body.subscription).toMatchObject({ billing_entity_code: 'here', payment_method: manual, plan_code: 'big' });
    const [before, after] = await invoicesOf('all');
    expect(before).toEqual(own);
    expect(after?.number).not.toMatch(/^BRA-/);
    expect(after?.appliedInvoiceCustomSections).toEqual([]);
  });

  it.each([
    ['nothing is chosen', {}, ['house']],
    ['another entity bills it', { billing_entity_code: 'branch' }, ['branch']],
    ['some are', { invoice_custom_section: { invoice_custom_section_codes: ['own', 'branch'] } }, ['branch', 'own']],
    ['none is to be', { invoice_custom_section: { skip_invoice_custom_sections: true } }, []],
  ])('prints what applies where %s', async (name, members, printed) => {
    await post({ ...PAYER, external_id: name, ...members });
    const [invoice] = await invoicesOf(name);
    expect(invoice?.appliedInvoiceCustomSections.map(({ code }) => code)).toEqual(printed);
  });

  it.each([
    [{}, ['house']],
    [{ invoice_custom_section: null }, ['house']],
    [{ billing_entity_code: 'branch' }, ['branch']],
    [{ invoice_custom_section: { invoice_custom_section_codes: ['own', 'unknown', 'branch'] } }, ['branch', 'own']],
    [{ invoice_custom_section: { invoice_custom_section_codes: [] } }, ['house']],
    [{ invoice_custom_section: { skip_invoice_custom_sections: true } }, []],
  ])('prints on a one-off with %j what is chosen for it', async (members, printed) => {
    const fees = [{ add_on_code: 'setup' }];
    const { status, body } = await app.rest('POST', '/invoices', {
      invoice: { external_customer_id: 'else', currency: 'EUR', fees, ...members },
    });
    expect(status).toBe(200);
    const told: readonly { code: string; details: string }[] = body.invoice.applied_invoice_custom_sections;
    expect(told.map(({ code, details }) => [code, details])).toEqual(printed.map((code) => [code, `${code} text`]));
  });

  const sell = (payment_method: unknown) =>
    app.rest('POST', '/invoices', {
      invoice: { external_customer_id: 'payer', currency: 'EUR', fees: [{ add_on_code: 'setup' }], payment_method },
    });
  const payerOf = async (svcId: string) => {
    const { data } = await app.graphql(
      'query ($svcId: UUID!) { invoice(svcId: $svcId) { paymentMethodType svcPaymentMethodId paymentMethod { svcId } } }',
      { svcId },
    );
    return data.invoice;
  };

  it.each([
    [undefined, null, null],
    [null, null, null],
    [{ payment_method_type: 'provider' }, 'provider', null],
    [{ payment_method_type: 'provider', payment_method_id: METHOD }, 'provider', METHOD],
    [{ payment_method_type: 'manual' }, 'manual', null],
  ])('has a one-off with %j collected by what is chosen for it, and the one in its place', async (method, type, id) => {
    const { status, body } = await sell(method);
    expect(status).toBe(200);
    const chosen = { paymentMethodType: type, svcPaymentMethodId: id, paymentMethod: id && { svcId: id } };
    expect(await payerOf(body.invoice.svc_id)).toEqual(chosen);
    const path = `/invoices/${body.invoice.svc_id}`;
    expect((await app.rest('POST', `${path}/void`)).status).toBe(200);
    const { data } = await app.graphql('mutation ($svcId: UUID!) { regenerateInvoice(svcId: $svcId) { svcId } }', {
      svcId: body.invoice.svc_id,
    });
    expect(await payerOf(data.regenerateInvoice.svcId)).toEqual(chosen);
  });

  it.each([
    {},
    'provider',
    { payment_method_type: 'cash' },
    { payment_method_type: 'provider', payment_method_id: 'x' },
    { payment_method_type: 'provider', payment_method_id: OTHERS_METHOD },
    { payment_method_type: 'manual', payment_method_id: METHOD },
  ])('refuses a one-off that %j is to collect, and makes none', async (method) => {
    const before = await everything(app.db);
    const { status, body } = await sell(method);
    expect([status, body.error_details]).toEqual([422, { payment_method: ['invalid_payment_method'] }]);
    expect(await everything(app.db)).toEqual(before);
  });
});

it('authorizes no amount before it subscribes: no provider is connected', async () => {
  const before = await everything(app.db);
  const authorization = { amount_cents: 100, amount_currency: 'EUR' };
  const { body } = await app.rest('POST', '/subscriptions', { authorization, subscription: NEW });
  expect(body).toEqual({ status: 403, error: 'Forbidden', code: 'feature_not_available' });
  expect(await everything(app.db)).toEqual(before);
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
