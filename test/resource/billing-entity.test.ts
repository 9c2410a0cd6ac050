import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReadApp } from '../rest/fixture.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { createTestApp, type TestApp } from '../support.ts';

// What billing entities do beyond what every resource does.

const clock = { now: new Date('2026-06-15T12:00:00Z') };
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => clock.now, bodyLimit: 2 * 1024 ** 2 });
});
afterAll(() => app?.close());

const make = (code: string, more: object = {}, on: TestApp = app) =>
  on.rest('POST', '/billing_entities', { billing_entity: { code, name: 'Harbour', ...more } });
const put = (code: string, members: object, on: TestApp = app) =>
  on.rest('PUT', `/billing_entities/${code}`, { billing_entity: members });
const detailsOf = ({ status, body }: { status: number; body: { error_details?: object } }) => [
  status,
  body.error_details,
];

it('the first one is the default one, of several at one moment too, and a prefix follows from the name', async () => {
  const made = await Promise.all(['a', 'b', 'c', 'd'].map((code) => make(code)));
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const entities = made.map(({ body }) => body.billing_entity);
  expect(entities.filter(({ is_default }) => is_default)).toHaveLength(1);
  for (const { svc_id, document_number_prefix } of entities) {
    expect(document_number_prefix).toBe(`HAR-${svc_id.slice(-4).toUpperCase()}`);
  }
});

it.each([
  ['made by hand', (on: TestApp) => make('main', {}, on)],
  ['that a customer brings along', (on: TestApp) => on.rest('POST', '/customers', { customer: { external_id: 'c' } })],
])('a first one %s has what was applied to the organization before', async (_how, begin) => {
  const other = await createTestApp({ db: app.db, now: () => clock.now });
  const tax = { code: 'vat', name: 'VAT', rate: 20, applied_to_organization: true };
  expect((await other.rest('POST', '/taxes', { tax })).status).toBe(200);
  await other.rest('POST', '/taxes', { tax: { code: 'city', name: 'City', rate: 1 } });
  const section = { code: 'terms', name: 'Terms', details: 'Net 30', appliedToOrganization: true };
  const query =
    'mutation ($input: CreateInvoiceCustomSectionInput!) { createInvoiceCustomSection(input: $input) { code } }';
  expect((await other.graphql(query, { input: section })).errors).toBeUndefined();
  expect((await begin(other)).status).toBe(200);
  const [entity] = await other.db.prisma.billingEntity.findMany({
    where: { organizationId: other.organizationId },
    include: { taxes: true, selectedInvoiceCustomSections: true },
  });
  expect(entity?.taxes.map(({ code }) => code)).toEqual(['vat']);
  expect(entity?.selectedInvoiceCustomSections.map(({ code }) => code)).toEqual(['terms']);
  await other.close();
});

it('answers with its root and without, and takes a change both ways', async () => {
  const { body } = await make('bare');
  const { billing_entity, ...members } = body;
  expect(members).toEqual(billing_entity);
  const changed = await app.rest('PUT', '/billing_entities/bare', { name: 'Without', city: 'Brest' });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ name: 'Without', city: 'Brest', billing_entity: { name: 'Without' } });
  expect((await app.rest('PUT', '/billing_entities/bare', {})).status).toBe(400);
});

it('keeps texts as they are meant: countries, currencies and prefixes in capitals, blank parts of the address as none', async () => {
  const { body } = await make('meant', {
    ...{ country: 'fr', default_currency: 'eur', document_number_prefix: 'abc', city: ' ' },
    billing_configuration: { invoice_footer: ' ', document_locale: 'PT-br' },
  });
  expect(body.billing_entity).toMatchObject({
    ...{ country: 'FR', default_currency: 'EUR', document_number_prefix: 'ABC', city: null, invoice_footer: null },
    document_locale: 'pt-BR',
  });
});

it.each([
  [{ document_number_prefix: '' }, { document_number_prefix: ['value_is_too_short'] }],
  [{ document_number_prefix: 'x'.repeat(11) }, { document_number_prefix: ['value_is_too_long'] }],
  [{ billing_configuration: { invoice_footer: 'x'.repeat(601) } }, { invoice_footer: ['value_is_too_long'] }],
  [{ billing_configuration: { invoice_grace_period: -1 } }, { invoice_grace_period: ['value_is_out_of_range'] }],
  ...['??', 'xx', 'English', 'fr-', 'fr-QQ', 'fr_FR', 'fr-FR-x'].map((document_locale): [object, object] => [
    { billing_configuration: { document_locale } },
    { document_locale: ['not_a_valid_language_code'] },
  ]),
  [{ net_payment_term: -1 }, { net_payment_term: ['value_is_out_of_range'] }],
  [{ email_settings: ['invoice.finalized', 'tea'] }, { email_settings: ['unsupported_value'] }],
  [{ document_numbering: 'per_moon' }, { document_numbering: ['value_is_invalid'] }],
  [{ timezone: 'Mars/Base' }, { timezone: ['invalid_timezone'] }],
  [{ country: 'QQ' }, { country: ['not_a_valid_country_code'] }],
  [{ default_currency: 'QQQ' }, { default_currency: ['value_is_invalid'] }],
  [{ email: 'nobody' }, { email: ['invalid_email_format'] }],
  [{ eu_tax_management: true }, { eu_tax_management: ['billing_entity_must_be_in_eu'] }],
  [{ eu_tax_management: true, country: 'US' }, { eu_tax_management: ['billing_entity_must_be_in_eu'] }],
  [{ logo: 'https://example.com/logo.png' }, { logo: ['invalid_content_type'] }],
  [{ logo: 'data:image/gif;base64,R0lGODlh' }, { logo: ['invalid_content_type'] }],
  [{ logo: 'data:image/png;base64,/9j/4AAQ' }, { logo: ['invalid_content_type'] }],
])('refuses %.60j', async (members, details) => {
  expect(detailsOf(await make('wrong', members))).toEqual([422, details]);
  await make('right');
  expect(detailsOf(await put('right', members))).toEqual([422, details]);
});

it('refuses a logo of more than 800 kB', async () => {
  const logo = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(1_066_661)}`;
  expect(detailsOf(await make('large', { logo }))).toEqual([422, { logo: ['invalid_size'] }]);
  expect((await make('large', { logo: logo.slice(0, -8) })).status).toBe(200);
});

it('takes a logo and gives it up for a blank one', async () => {
  const logo = 'data:image/jpeg;base64,/9j/4AAQSkZJRg==';
  expect((await make('logo', { logo })).body.logo_url).toBe(logo);
  expect((await put('logo', { logo: '' })).body.logo_url).toBeNull();
});

it('replaces taxes and sections as a whole; unknown ones are not found, and nothing is saved', async () => {
  for (const code of ['one', 'two']) await app.rest('POST', '/taxes', { tax: { code, name: code, rate: '10' } });
  await make('taxed', { tax_codes: ['one'] });
  const both = await put('taxed', { tax_codes: ['two', 'one'] });
  expect(both.body.taxes.map(({ code }: { code: string }) => code)).toEqual(['one', 'two']);
  const unknown = await put('taxed', { name: 'Other', tax_codes: ['one', 'none'] });
  expect(unknown.body).toEqual(NOT_FOUND);
  const { organizationId } = app;
  const other = await app.db.prisma.organization.create({ data: { name: 'Alder' } });
  const section = { code: 'terms', name: 'Terms' };
  await app.db.prisma.invoiceCustomSection.create({ data: { organizationId: other.id, ...section } });
  const ofOther = await put('taxed', { invoice_custom_section_codes: ['terms'] });
  expect(ofOther.body).toEqual(NOT_FOUND);
  await app.db.prisma.invoiceCustomSection.create({ data: { organizationId, ...section } });
  const own = await put('taxed', { invoice_custom_section_codes: ['terms'], tax_codes: [] });
  expect(own.body).toMatchObject({ name: 'Harbour', taxes: [], selected_invoice_custom_sections: [{ code: 'terms' }] });
});

it('an archived one is read, and neither listed nor changed, and its code is free', async () => {
  const { body } = await make('archived');
  await app.db.prisma.billingEntity.update({ where: { id: body.svc_id }, data: { archivedAt: clock.now } });
  expect((await app.rest('GET', '/billing_entities/archived')).body.billing_entity.svc_id).toBe(body.svc_id);
  const { billing_entities } = (await app.rest('GET', '/billing_entities')).body;
  expect(billing_entities.map(({ code }: { code: string }) => code)).not.toContain('archived');
  expect((await put('archived', { name: 'Back' })).body).toEqual(NOT_FOUND);
  expect((await make('archived')).status).toBe(200);
});

it('there are as many as the operator allows, also of several at one moment', async () => {
  const bounded = await createTestApp({ mostBillingEntities: 2 });
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((code) => make(code, {}, bounded)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403]);
  const refused = answers.find(({ status }) => status === 403);
  expect(refused?.body).toEqual({ status: 403, error: 'Forbidden', code: 'feature_unavailable' });
  expect((await make('e', { name: '' }, bounded)).status).toBe(403);
  const { billing_entities } = (await bounded.rest('GET', '/billing_entities')).body;
  expect(billing_entities).toHaveLength(2);
  await bounded.db.prisma.billingEntity.updateMany({
    where: { code: billing_entities[1].code },
    data: { archivedAt: clock.now },
  });
  expect((await make('f', {}, bounded)).status).toBe(200);
  await bounded.close();
});

it('drafts follow its days and dates, but for what their customers have of their own', async () => {
  const read = await createReadApp();
  const { db } = read;
  const entity = await db.prisma.billingEntity.findFirstOrThrow({ where: { code: 'acme.fr' } });
  const { organizationId, id: billingEntityId } = entity;
  const before = { invoiceGracePeriod: 3, netPaymentTerm: 30 };
  expect(entity).toMatchObject(before);
  const draft = async (externalId: string, own: object, periodic: boolean) => {
    const customer = await db.prisma.customer.create({
      data: { organizationId, externalId, sequentialId: 900, slug: externalId, billingEntityId, ...own },
    });
    const invoice = await db.prisma.invoice.create({
      data: {
        ...{ organizationId, billingEntityId, customerId: customer.id, number: 'ACM-DRAFT', currency: 'EUR' },
        ...{ invoiceType: 'subscription', status: 'draft', netPaymentTerm: 30 },
        ...{ issuingDate: new Date('2026-06-23'), paymentDueDate: new Date('2026-07-23') },
        expectedFinalizationDate: new Date('2026-06-23'),
      },
    });
    if (periodic) {
      const plan = await db.prisma.plan.findFirstOrThrow({ where: { organizationId } });
      const subscription = await db.prisma.subscription.create({
        data: {
          ...{ organizationId, externalId, customerId: customer.id, planId: plan.id, status: 'active' },
          ...{ subscriptionAt: clock.now, startedAt: clock.now, billingTime: 'calendar' },
        },
      });
      await db.prisma.billingPeriod.create({
        data: {
          ...{ organizationId, invoiceId: invoice.id, subscriptionId: subscription.id },
          ...{ invoicingReason: 'subscription_periodic' },
          ...{ subscriptionFromDatetime: clock.now, subscriptionToDatetime: clock.now },
          ...{ chargesFromDatetime: clock.now, chargesToDatetime: clock.now },
        },
      });
    }
    return invoice.id;
  };
  const [all, own, once] = [
    await draft('drafted', {}, true),
    await draft('drafted_own', { netPaymentTerm: 30, invoiceGracePeriod: 3 }, true),
    await draft('drafted_once', {}, false),
  ];
  const datesOf = async (id: string) => {
    const row = await db.prisma.invoice.findUniqueOrThrow({ where: { id } });
    const dates = [row.issuingDate, row.expectedFinalizationDate, row.paymentDueDate];
    return [...dates.map((date) => date?.toISOString().slice(5, 10)), row.netPaymentTerm];
  };
  const { body } = await read
    .graphql(
      `mutation { updateBillingEntity(code: "acme.fr", input: { netPaymentTerm: 10 }) {
      changes { invoices { nodes { svcId } } } } }`,
    )
    .then(({ data }) => ({ body: data.updateBillingEntity }));
  const told = body.changes.invoices.nodes.map(({ svcId }: { svcId: string }) => svcId);
  expect(told).toEqual(expect.arrayContaining([all, once]));
  expect(told).not.toContain(own);
  expect([await datesOf(all), await datesOf(own), await datesOf(once)]).toEqual([
    ['06-23', '06-23', '07-03', 10],
    ['06-23', '06-23', '07-23', 30],
    ['06-23', '06-23', '07-03', 10],
  ]);
  await put('acme.fr', { billing_configuration: { invoice_grace_period: 5 } }, read);
  expect([await datesOf(all), await datesOf(own)]).toEqual([
    ['06-25', '06-25', '07-05', 10],
    ['06-23', '06-23', '07-23', 30],
  ]);
  await put(
    'acme.fr',
    {
      billing_configuration: {
        subscription_invoice_issuing_date_anchor: 'current_period_end',
        subscription_invoice_issuing_date_adjustment: 'keep_anchor',
      },
    },
    read,
  );
  expect([await datesOf(all), await datesOf(once)]).toEqual([
    ['06-19', '06-25', '06-29', 10],
    ['06-25', '06-25', '07-05', 10],
  ]);
  await read.close();
});
