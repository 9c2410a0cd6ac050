import { isInputObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snakeCase } from '../../src/billing/name-case.ts';
import { CUSTOMER } from '../../src/billing/resource/customer.ts';
import type { Field } from '../../src/billing/resource/field.ts';
import { schema } from '../../src/graphql/schema.ts';
import { getDatamodel } from '../../src/store/generated/pothos.ts';
import { shapeNamed } from '../../src/store/transfer/shape/all.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { WHOLE_CUSTOMER } from '../rest/sample.ts';
import { createFullApp } from '../robust/full-app.ts';
import { countStatements, type TestApp } from '../support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createFullApp();
});
afterAll(() => app?.close());

const post = (external_id: unknown, more: object = {}, sending = {}) =>
  app.rest('POST', '/customers', { customer: { ...more, external_id } }, sending);
const details = async (external_id: unknown, more: object = {}) => (await post(external_id, more)).body.error_details;
const find = async (externalId: string) => (await app.rest('GET', `/customers/${externalId}`)).body.customer;
const log = (objectId: string) =>
  app.db.prisma.auditLog.findMany({ where: { objectId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
const graph = (input: object, selection = 'externalId') =>
  app.graphql(`mutation ($input: UpsertCustomerInput!) { upsertCustomer(input: $input) { ${selection} } }`, { input });

describe('a member', () => {
  const fields = Object.entries<Field>(CUSTOMER.fields);
  const KEPT = ['id', 'organizationId', 'createdAt', 'updatedAt', 'deletedAt', 'words'];
  const DERIVED = [
    ...['sequentialId', 'slug', 'billingEntityId', 'outstandingBalanceCents', 'overdueBalanceCents'],
    ...['vatStatus', 'vatCheckedAt', 'vatUnanswered', 'vatDueAt'],
  ];

  it('stands for every column, and for no other', () => {
    const columns = getDatamodel().datamodel.models.Customer?.fields ?? [];
    const own = columns.filter(({ kind, name }) => kind !== 'object' && ![...KEPT, ...DERIVED].includes(name));
    const members = fields.filter(([, { relation }]) => !relation).map(([name]) => name);
    expect(members.sort()).toEqual(own.map(({ name }) => name).sort());
  });

  it('is in the input, where it stands in an object too', () => {
    const input = schema.getType('UpsertCustomerInput');
    if (!isInputObjectType(input)) throw new Error('no input');
    for (const [name, { group }] of fields) {
      const outer = input.getFields()[group?.name ?? name];
      expect(outer, name).toBeDefined();
      const inner = schema.getType(String(outer?.type));
      if (group) expect(isInputObjectType(inner) && inner.getFields()[group.member], name).toBeDefined();
    }
  });

  it('is shown by REST, imported and exported', async () => {
    const { body } = await post('every', WHOLE_CUSTOMER);
    const shape = shapeNamed('customer');
    const known = new Set([...shape.fields.map(({ member }) => member), ...shape.links.flatMap(({ codes }) => codes)]);
    for (const [name, { group, relation }] of fields) {
      const [outer, inner] = [snakeCase(group?.name ?? name), group && snakeCase(group.member)];
      expect([...known], name).toContain(inner ? `${outer}.${inner}` : outer);
      if (relation) continue;
      const shown = inner ? body.customer[outer][inner] : body.customer[outer];
      const sent = WHOLE_CUSTOMER[outer] as Record<string, unknown>;
      expect(shown, name).toEqual(name === 'externalId' ? 'every' : inner ? sent[inner] : sent);
    }
    expect(isObjectType(schema.getType('Customer'))).toBe(true);
  });
});

describe('a customer', () => {
  it('is made with its initial values, a rank and a short name', async () => {
    const one = (await post('first')).body.customer;
    expect(one).toMatchObject({
      ...{ external_id: 'first', name: null, account_type: 'customer', customer_type: null, currency: null },
      ...{ finalize_zero_amount_invoice: 'inherit', skip_invoice_custom_sections: false, timezone: null },
      ...{ applicable_timezone: 'Europe/Paris', billing_entity_code: 'acme.fr', net_payment_term: null },
      ...{ metadata: [], taxes: [], integration_customers: [], created_at: '2026-06-15T12:00:00Z' },
      ...{ slug: `ACM-${String(one.sequential_id).padStart(3, '0')}` },
    });
    expect(one.applicable_invoice_custom_sections.map(({ code }: { code: string }) => code)).toEqual(['terms']);
    const two = (await post('second')).body.customer;
    expect(two.sequential_id).toBe(one.sequential_id + 1);
    expect(await find('first')).toEqual(one);
  });

  it('is changed by the same request: what is absent stays, null clears', async () => {
    const made = (await post('changed', { ...WHOLE_CUSTOMER, external_id: 'changed' })).body.customer;
    const { body } = await post('changed', { name: 'Other', city: null, shipping_address: { city: 'Nice' } });
    expect(body.customer).toEqual({
      ...{ ...made, name: 'Other', city: null },
      shipping_address: { ...made.shipping_address, city: 'Nice' },
    });
    const cleared = await post('changed', {
      ...{ account_type: null, finalize_zero_amount_invoice: null, skip_invoice_custom_sections: null },
      ...{
        metadata: null,
        tax_codes: null,
        shipping_address: null,
        billing_configuration: { invoice_grace_period: null },
      },
    });
    expect(cleared.body.customer).toMatchObject({
      ...{ account_type: 'partner', finalize_zero_amount_invoice: 'inherit', skip_invoice_custom_sections: true },
      ...{ shipping_address: { city: 'Nice' }, billing_configuration: { invoice_grace_period: null, sync: true } },
      ...{ metadata: made.metadata, taxes: made.taxes },
    });
  });

  it('of one identifier is one, however many requests come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => post('raced', index % 2 ? { name: 'A' } : { city: 'B' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.customer.svc_id)).size).toBe(1);
    expect(await find('raced')).toMatchObject({ name: 'A', city: 'B' });
    const others = await Promise.all(Array.from({ length: 8 }, (_, index) => post(`ranked-${index}`)));
    const ranks = others.map(({ body }) => body.customer.sequential_id);
    expect(new Set(ranks).size).toBe(8);
    expect(Math.max(...ranks) - Math.min(...ranks)).toBe(7);
  });

  it('is told all that is wrong at once', async () => {
    const wrong = {
      ...{ email: 'ada@x.org, nobody', country: 'ZZ', currency: 'EURO', timezone: 'Mars/Base', net_payment_term: -1 },
      ...{
        shipping_address: { country: 'Q' },
        billing_configuration: {
          ...{ invoice_grace_period: 4000, document_locale: '?', payment_provider: 'x' },
          provider_payment_methods: ['card', 'cash'],
        },
      },
      metadata: [{ key: 'k'.repeat(21), value: '' }],
      integration_customers: [{ integration_type: 'xero' }, { integration_type: 'xero' }, { integration_type: 'x' }],
      ...{ skip_invoice_custom_sections: true, invoice_custom_section_codes: ['terms'] },
    };
    expect(await details(' ', wrong)).toEqual({
      external_id: ['value_is_mandatory'],
      email: ['invalid_email_format'],
      country: ['not_a_valid_country_code'],
      shipping_country: ['not_a_valid_country_code'],
      currency: ['value_is_invalid'],
      timezone: ['invalid_timezone'],
      net_payment_term: ['value_is_out_of_range'],
      invoice_grace_period: ['value_is_out_of_range'],
      document_locale: ['not_a_valid_language_code'],
      payment_provider: ['value_is_invalid'],
      provider_payment_methods: ['value_is_invalid'],
      key: ['value_is_too_long'],
      value: ['value_is_mandatory'],
      integration_customers: ['invalid_count_per_integration_type'],
      integration_type: ['value_is_invalid'],
      invoice_custom_sections: ['skip_sections_and_selected_ids_sent_together'],
    });
    const pairs = [
      { key: 'a' },
      { key: 'k'.repeat(21), value: 'v'.repeat(101) },
      { key: 'b', value: 'v'.repeat(5000) },
    ];
    expect(await details('pairs', { metadata: pairs })).toEqual({
      key: ['value_is_too_long'],
      value: ['value_is_mandatory', 'value_is_too_long'],
    });
    expect(await details('forms', { ...wrong, finalize_zero_amount_invoice: 'x', account_type: 1 })).toMatchObject({
      finalize_zero_amount_invoice: ['invalid_value'],
      account_type: ['value_is_invalid'],
      country: ['not_a_valid_country_code'],
      timezone: ['invalid_timezone'],
    });
    for (const body of [undefined, {}, { customer: {} }, { other: 1 }, []]) {
      expect((await app.rest('POST', '/customers', body)).body).toEqual({ status: 400, error: 'Bad request' });
    }
    expect(await details(undefined, { name: 'x' })).toEqual({ external_id: ['value_is_mandatory'] });
    expect((await app.rest('GET', '/customers/forms')).body).toEqual(NOT_FOUND);
  });

  it('is told in GraphQL where it is wrong', async () => {
    const { data, errors } = await graph({
      ...{ externalId: 'placed', shippingAddress: { country: 'Q' }, billingConfiguration: { invoiceGracePeriod: -1 } },
      metadata: [
        { key: 'a', value: 'b' },
        { key: 'a', value: 'c' },
      ],
      integrationCustomers: [{ integrationType: 'x' }],
    });
    expect(data).toEqual({ upsertCustomer: null });
    const told = errors?.[0]?.extensions?.errors as { path: unknown[]; code: string }[];
    expect(told.map(({ path, code }) => [path.join('.'), code]).sort()).toEqual([
      ['input.billingConfiguration.invoiceGracePeriod', 'value_is_out_of_range'],
      ['input.integrationCustomers.0.integrationType', 'value_is_invalid'],
      ['input.metadata.1.key', 'value_already_exist'],
      ['input.shippingAddress.country', 'not_a_valid_country_code'],
    ]);
  });

  it('keeps countries in capitals, addresses without what is not seen, and no blank lines', async () => {
    const sent = { country: 'fr', email: ' ada@x.org\u200b ', address_line1: '  ', timezone: '', currency: '' };
    expect((await post('normal', sent)).body.customer).toMatchObject({
      ...{ country: 'FR', email: 'ada@x.org', address_line1: null, timezone: null, currency: null },
    });
    const { svc_id } = await find('normal');
    await post('normal', sent);
    const { data } = await graph({ externalId: 'several', email: 'ada@x.org,\u200b bob@x.org' }, 'email');
    expect(data.upsertCustomer.email).toBe('ada@x.org,bob@x.org');
    await app.graphql('mutation { destroyCustomer(externalId: "several") { svcId } }');
    expect(await log(svc_id)).toHaveLength(1);
  });
});

describe('its billing entity, taxes and sections', () => {
  it('are there, or nothing is stored', async () => {
    for (const more of [
      { billing_entity_code: 'none' },
      { tax_codes: ['vat20', 'none'] },
      { invoice_custom_section_codes: ['none'] },
    ]) {
      expect((await post('nowhere', more)).body).toEqual(NOT_FOUND);
      expect((await app.rest('GET', '/customers/nowhere')).status).toBe(404);
    }
    await post('somewhere', { billing_entity_code: 'acme_de' });
    expect((await post('somewhere', { billing_entity_code: 'none', name: 'x' })).body).toEqual(NOT_FOUND);
    expect(await find('somewhere')).toMatchObject({ billing_entity_code: 'acme_de', name: null });
  });

  it('replace each other as lists', async () => {
    const codes = (one: { taxes: { code: string }[] }) => one.taxes.map(({ code }) => code);
    expect(codes((await post('taxed', { tax_codes: ['kept', 'vat20', 'kept'] })).body.customer)).toEqual([
      'kept',
      'vat20',
    ]);
    expect(codes((await post('taxed', { tax_codes: ['vat20'] })).body.customer)).toEqual(['vat20']);
    expect(codes((await post('taxed', { name: 'x' })).body.customer)).toEqual(['vat20']);
    expect(codes((await post('taxed', { tax_codes: [] })).body.customer)).toEqual([]);
  });

  it('are printed where chosen, else those of the entity, else none', async () => {
    const sections = async (more: object) =>
      (await post('printed', more)).body.customer.applicable_invoice_custom_sections.map(
        ({ code }: { code: string }) => code,
      );
    expect(await sections({ billing_entity_code: 'acme_de' })).toEqual([]);
    expect(await sections({ invoice_custom_section_codes: ['terms'] })).toEqual(['terms']);
    expect(await sections({ skip_invoice_custom_sections: true })).toEqual([]);
    expect((await find('printed')).skip_invoice_custom_sections).toBe(true);
    expect(await sections({ invoice_custom_section_codes: ['terms'] })).toEqual(['terms']);
    expect((await find('printed')).skip_invoice_custom_sections).toBe(false);
    expect(await sections({ invoice_custom_section_codes: [] })).toEqual([]);
  });
});

describe('its metadata', () => {
  const pairs = async (metadata: unknown) => (await post('meta', { metadata })).body.customer.metadata;
  it('is the list that was sent, each pair by identifier, else by key', async () => {
    const [a, b] = await pairs([
      { key: 'a', value: '1' },
      { key: 'b', value: '2', display_in_invoice: true },
    ]);
    expect(b).toMatchObject({ key: 'b', value: '2', display_in_invoice: true });
    const [again, fresh] = await pairs([
      { key: 'a', value: '3' },
      { key: 'c', value: '4' },
    ]);
    expect([again.svc_id, again.value, fresh.key]).toEqual([a.svc_id, '3', 'c']);
    const swapped = await pairs([
      { id: again.svc_id, key: 'c', value: 'x' },
      { id: fresh.svc_id, key: 'a', value: 'y' },
    ]);
    expect(swapped.map(({ svc_id, key }: { svc_id: string; key: string }) => [svc_id, key])).toEqual([
      [fresh.svc_id, 'a'],
      [again.svc_id, 'c'],
    ]);
    const renamed = await pairs([
      { id: fresh.svc_id, key: 'b', value: 'y' },
      { key: 'a', value: 'z' },
    ]);
    expect(renamed.map(({ key, value }: { key: string; value: string }) => [key, value])).toEqual([
      ['a', 'z'],
      ['b', 'y'],
    ]);
    expect(renamed[1].svc_id).toBe(fresh.svc_id);
    expect((await post('meta', { name: 'kept' })).body.customer.metadata).toEqual(renamed);
    expect(await pairs([])).toEqual([]);
  });

  it('holds five pairs, each key once', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `k${index}`, value: 'v' }));
    expect(await pairs(many(5))).toHaveLength(5);
    expect(await details('meta', { metadata: many(6) })).toEqual({ metadata: ['invalid_count'] });
    const twice = [...many(1), ...many(1)];
    expect(await details('meta', { metadata: twice })).toEqual({ key: ['value_already_exist'] });
    expect(await details('meta', { metadata: [{ value: 'v' }] })).toEqual({ key: ['value_is_mandatory'] });
    expect(await details('meta', { metadata: { key: 'a', value: 'b' } })).toEqual({ metadata: ['value_is_invalid'] });
    expect(await details('meta', { metadata: [{ key: 'a', value: 'v'.repeat(101) }] })).toEqual({
      value: ['value_is_too_long'],
    });
  });
});

describe('its accounts elsewhere', () => {
  it('are kept one of a system', async () => {
    const accounts = async (integration_customers: object[]) =>
      (await post('accounts', { integration_customers })).body.customer.integration_customers;
    const [one] = await accounts([{ integration_type: 'xero', integration_code: 'x', external_customer_id: '1' }]);
    const two = await accounts([
      { integration_type: 'xero', integration_code: 'x', external_customer_id: '2' },
      { integration_type: 'anrok', integration_code: 'a', sync_with_provider: true },
    ]);
    expect(two).toMatchObject([
      { svc_id: one.svc_id, type: 'xero', external_customer_id: '2' },
      { type: 'anrok', sync_with_provider: true },
    ]);
    expect(await accounts([])).toEqual([]);
  });
});

describe('what was billed', () => {
  const FIXED = { currency: 'USD', account_type: 'partner', billing_entity_code: 'acme_de' };
  it('holds the currency, and the kind of account and the entity in silence', async () => {
    expect((await post('free', { currency: 'EUR' })).status).toBe(200);
    expect((await post('free', FIXED)).body.customer).toMatchObject(FIXED);
    const before = await find('cust_ada');
    expect(await details('cust_ada', { currency: 'JPY', country: 'ZZ' })).toEqual({
      currency: ['currencies_does_not_match'],
      country: ['not_a_valid_country_code'],
    });
    expect(await details('cust_ada', { currency: null })).toEqual({ currency: ['currencies_does_not_match'] });
    const { account_type, billing_entity_code } = FIXED;
    const same = await post('cust_ada', { currency: before.currency, account_type, billing_entity_code, name: 'Ada' });
    expect(same.body.customer).toMatchObject({
      ...{ name: 'Ada', account_type: before.account_type, billing_entity_code: before.billing_entity_code },
    });
  });

  it('is refused in GraphQL', async () => {
    const { errors } = await graph({ externalId: 'cust_ada', accountType: 'partner', billingEntityCode: 'acme_de' });
    expect(errors?.[0]?.extensions?.errorDetails).toEqual({
      account_type: ['value_cannot_be_changed'],
      billing_entity_code: ['value_cannot_be_changed'],
    });
    const { account_type, billing_entity_code } = await find('cust_ada');
    const same = await graph({
      externalId: 'cust_ada',
      accountType: account_type,
      billingEntityCode: billing_entity_code,
    });
    expect(same.errors).toBeUndefined();
  });
});

describe('a deleted customer', () => {
  it('leaves its identifier to another and its invoices readable, and everything of it ends', async () => {
    const owner = { organizationId: app.organizationId };
    const { id } = await app.db.prisma.customer.findFirstOrThrow({ where: { ...owner, externalId: 'cust_ada' } });
    const seen = { customerId: id, status: { not: 'draft' as const } };
    const invoices = await app.db.prisma.invoice.findMany({ where: seen, orderBy: { id: 'asc' } });
    const ids = invoices.map((invoice) => invoice.id);
    expect(invoices.length).toBeGreaterThan(2);
    const before = await find('cust_ada');
    const { data, errors } =
      await app.graphql(`mutation { destroyCustomer(externalId: "cust_ada") { externalId changes {
      subscriptions { nodes { status terminatedAt } } wallets { nodes { status } } auditLogs { totalCount } } } }`);
    expect(errors).toBeUndefined();
    const { changes } = data.destroyCustomer;
    expect(new Set(changes.subscriptions.nodes.map(({ status }: { status: string }) => status)).has('terminated')).toBe(
      true,
    );
    expect(changes.wallets.nodes.every(({ status }: { status: string }) => status === 'terminated')).toBe(true);
    expect(await app.db.prisma.auditLog.count({ where: { objectId: id, action: 'customer.deleted' } })).toBe(1);
    // What its subscriptions had not been billed yet is billed by now, and no draft is left.
    expect(changes.auditLogs.totalCount).toBeGreaterThan(1);
    expect(await app.db.prisma.invoice.count({ where: { customerId: id, status: 'draft' } })).toBe(0);
    for (const model of ['subscription', 'wallet', 'appliedCoupon'] as const) {
      const rows = app.db.prisma[model] as { count(args: object): Promise<number> };
      expect(await rows.count({ where: { customerId: id, status: 'active' } })).toBe(0);
    }
    expect(await app.db.prisma.subscription.count({ where: { customerId: id, status: 'pending' } })).toBe(0);
    for (const method of ['GET', 'DELETE']) {
      expect((await app.rest(method, '/customers/cust_ada')).body).toEqual(NOT_FOUND);
    }
    const later = await app.db.prisma.invoice.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
    expect(later).toEqual(invoices);
    for (const invoice of invoices) {
      const read = await app.graphql(
        `{ invoice(svcId: "${invoice.id}") { number customer { externalId } allFees { svcId } } }`,
      );
      expect(read.errors).toBeUndefined();
      expect(read.data.invoice.customer.externalId).toBe('cust_ada');
    }
    const again = (await post('cust_ada')).body.customer;
    expect(again.svc_id).not.toBe(before.svc_id);
    expect(again.sequential_id).toBeGreaterThan(before.sequential_id);
  });
});

describe('every write', () => {
  it('is in the log with what changed, once where it is named, and never where it is only tried', async () => {
    const { svc_id } = (await post('logged', { name: 'A', metadata: [{ key: 'a', value: 'b' }] })).body.customer;
    await post('logged', { name: 'B', metadata: [{ key: 'a', value: 'c' }] });
    await post('logged', { name: 'B' });
    await app.rest('DELETE', '/customers/logged');
    const entries = await log(svc_id);
    expect(entries.map(({ action }) => action)).toEqual(['customer.created', 'customer.updated', 'customer.deleted']);
    const pair = (value: string) => ({ key: 'a', value, displayInInvoice: false });
    expect([entries[1]?.before, entries[1]?.after]).toEqual([
      { name: 'A', metadata: [pair('b')] },
      { name: 'B', metadata: [pair('c')] },
    ]);
    const headers = { 'Idempotency-Key': 'customer-once' };
    const [first, second] = [await post('once', {}, { headers }), await post('once', {}, { headers })];
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const before = await everything(app.db);
    const { data, errors } = await app.graphql(`mutation {
      upsertCustomer(input: { externalId: "tried", metadata: [{ key: "a", value: "b" }] }, dryRun: true) { externalId metadata { key } }
      destroyCustomer(externalId: "once", dryRun: true) { changes { dryRun } } }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      upsertCustomer: { externalId: 'tried', metadata: [{ key: 'a' }] },
      destroyCustomer: { changes: { dryRun: true } },
    });
    expect(await everything(app.db)).toEqual(before);
  });

  it('costs a handful of statements', async () => {
    const { external_id: _one, ...whole } = WHOLE_CUSTOMER;
    await post('warm', whole);
    const counts = {
      create: await countStatements(app.db, () => post('counted')),
      whole: await countStatements(app.db, () => post('counted-whole', whole)),
      same: await countStatements(app.db, () => post('counted-whole', { name: whole.name })),
      update: await countStatements(app.db, () => post('counted-whole', { name: 'Other' })),
      find: await countStatements(app.db, () => app.rest('GET', '/customers/counted')),
      list: await countStatements(app.db, () => app.rest('GET', '/customers')),
      destroy: await countStatements(app.db, () => app.rest('DELETE', '/customers/counted')),
    };
    expect(counts.create).toBeLessThanOrEqual(10);
    expect(counts.whole).toBeLessThanOrEqual(17);
    expect(counts.update).toBeLessThanOrEqual(9);
    expect(counts.find).toBe(1);
    expect(counts.list).toBeLessThanOrEqual(3);
    expect(counts.destroy).toBeLessThanOrEqual(12);
  });
});

it('an organization without a billing entity gets one with its first customer', async () => {
  const { id } = await app.db.prisma.organization.create({ data: { name: 'Bracken' } });
  const { createKey } = await import('../../src/store/access/api-key.ts');
  const { key } = await createKey(app.db.prisma, { organizationId: id, kind: 'secret' });
  const answers = await Promise.all(['a', 'b', 'c'].map((one) => post(one, {}, { key })));
  expect(answers.map(({ body }) => body.customer.billing_entity_code)).toEqual(['default', 'default', 'default']);
  expect(await app.db.prisma.billingEntity.count({ where: { organizationId: id } })).toBe(1);
  expect(answers.map(({ body }) => body.customer.sequential_id).sort()).toEqual([1, 2, 3]);
});
