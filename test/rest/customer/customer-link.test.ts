import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../../support.ts';
import { createReadApp } from '../fixture.ts';
import { REFUSED } from '../refused.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createReadApp();
});
afterAll(() => app.close());

const UNKNOWN = { status: 404, error: 'Not Found', code: 'object_not_found' };
const PORTAL = '/customers/cust_ada/portal_url';
const CHECKOUT = '/customers/cust_ada/checkout_url';

it('a customer has no portal', async () => {
  expect((await app.rest('GET', PORTAL)).body).toEqual(REFUSED.getCustomerPortalUrl);
});

it('a customer has no page of a provider, whatever the body says, and nothing is written', async () => {
  const logged = await app.db.prisma.auditLog.count();
  for (const body of [undefined, {}, { customer: { payment_provider: 'stripe' } }]) {
    expect((await app.rest('POST', CHECKOUT, body)).body).toEqual(REFUSED.generateCustomerCheckoutURL);
  }
  expect(await app.db.prisma.auditLog.count()).toBe(logged);
});

it('nobody unknown has either, nor who is deleted', async () => {
  await app.rest('POST', '/customers', { customer: { external_id: 'gone' } });
  await app.rest('DELETE', '/customers/gone');
  for (const name of ['nobody', 'gone', '%00', '%F0%9F%98%80']) {
    expect((await app.rest('GET', PORTAL.replace('cust_ada', name))).body, name).toEqual(UNKNOWN);
    expect((await app.rest('POST', CHECKOUT.replace('cust_ada', name))).body, name).toEqual(UNKNOWN);
  }
});

it('the graph says the same, also of a dry run', async () => {
  const asked = async (text: string) => {
    const { data, errors } = await app.graphql(text);
    return [data, errors?.map(({ extensions }) => extensions)];
  };
  expect(await asked('{ customerPortal(externalCustomerId: "cust_ada") { portalUrl } }')).toEqual([
    { customerPortal: null },
    [expect.objectContaining({ code: 'forbidden', reason: 'feature_unavailable' })],
  ]);
  for (const dryRun of [false, true]) {
    expect(
      await asked(`mutation { generateCheckout(externalCustomerId: "cust_ada", dryRun: ${dryRun}) { checkoutUrl } }`),
    ).toEqual([
      { generateCheckout: null },
      [expect.objectContaining({ code: 'validation_errors', errorDetails: { base: ['no_linked_payment_provider'] } })],
    ]);
    expect(
      await asked(`mutation { generateCheckout(externalCustomerId: "nobody", dryRun: ${dryRun}) { checkoutUrl } }`),
    ).toEqual([{ generateCheckout: null }, [expect.objectContaining({ code: 'object_not_found' })]]);
  }
});
