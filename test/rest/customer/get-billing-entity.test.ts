import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReadApp } from '../fixture.ts';
import { itIsGuarded, NOT_FOUND } from '../guarded.ts';

let app: Awaited<ReturnType<typeof createReadApp>>;
beforeAll(async () => {
  app = await createReadApp();
});
afterAll(() => app.close());

describe('200', () => {
  it('an entity with everything; a dot in its code', async () => {
    const { status, body } = await app.rest('GET', '/billing_entities/acme.fr');
    expect(status).toBe(200);
    expect(body.billing_entity).toMatchObject({
      code: 'acme.fr',
      document_numbering: 'per_billing_entity',
      document_number_prefix: 'ACM',
      timezone: 'Europe/Paris',
      invoice_grace_period: 3,
      net_payment_term: 30,
      is_default: true,
      finalize_zero_amount_invoice: true,
      email_settings: ['invoice.finalized'],
      taxes: [{ code: 'vat20', rate: 20, applied_to_organization: true }],
      selected_invoice_custom_sections: [{ code: 'terms', display_name: 'Terms' }],
    });
  });
  it('an entity with nothing that is optional', async () => {
    const { status, body } = await app.rest('GET', '/billing_entities/alder', undefined, { key: app.other });
    expect(status).toBe(200);
    expect(body.billing_entity).toMatchObject({
      default_currency: 'USD',
      timezone: 'UTC',
      is_default: true,
      address_line1: null,
      legal_name: null,
      logo_url: null,
      taxes: [],
      selected_invoice_custom_sections: [],
    });
  });
  it('an archived entity', async () => {
    expect((await app.rest('GET', '/billing_entities/old')).body.billing_entity).toMatchObject({
      code: 'old',
      is_default: false,
    });
  });
  it('the one in use, when an archived one has the same code', async () => {
    const { organizationId } = app;
    await app.db.prisma.billingEntity.create({ data: { organizationId, code: 'old', name: 'New' } });
    expect((await app.rest('GET', '/billing_entities/old')).body.billing_entity).toMatchObject({ name: 'New' });
  });
});

itIsGuarded(
  () => app,
  'GET',
  () => '/billing_entities/acme.fr',
  'billing_entity:read',
);

describe('404', () => {
  it.each(['nope', 'ACME.FR', 'acme', '%ZZ'])('%s', async (code) => {
    const { status, body } = await app.rest('GET', `/billing_entities/${code}`);
    expect(status).toBe(404);
    expect(body).toEqual(NOT_FOUND);
  });
  it("another organization's entity", async () => {
    expect((await app.rest('GET', '/billing_entities/acme.fr', undefined, { key: app.other })).status).toBe(404);
  });
});
