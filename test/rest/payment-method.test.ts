import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importDocument } from '../../src/store/transfer/import/import.ts';
import { answerFaults } from '../contract/operations.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { createTestApp, type TestApp } from '../support.ts';
import { exportedTwice } from '../transfer.ts';
import { NOT_FOUND } from './guarded.ts';

const [FIRST = '', SECOND = '', THIRD = '', OTHER = ''] = Array.from({ length: 4 }, () => randomUUID());
const NOW = new Date('2026-06-15T12:00:00Z');

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  const { name } = await app.db.prisma.organization.findUniqueOrThrow({ where: { id: app.organizationId } });
  const method = (svc_id: string, external_customer_id: string, more: object = {}) => ({
    ...{ svc_id, external_customer_id, provider_method_id: `pm_${external_customer_id}`, ...more },
  });
  const document = {
    organization: { name },
    customers: [
      { external_id: 'one', billing_configuration: { payment_provider: 'adyen', payment_provider_code: 'main' } },
      { external_id: 'two' },
    ],
    payment_methods: [
      method(FIRST, 'one', { is_default: true, provider_code: 'main', created_at: '2026-01-01T00:00:00Z' }),
      method(SECOND, 'one', { provider_type: 'stripe', created_at: '2026-01-02T00:00:00Z' }),
      method(THIRD, 'one', { provider_type: 'stripe', created_at: '2026-01-03T00:00:00Z' }),
      method(OTHER, 'two', { provider_type: 'stripe', is_default: true }),
    ],
  };
  await importDocument(app.db, document, { organization: name, now: NOW });
});
afterAll(() => app?.close());

const of = (customer: string) => `/customers/${customer}/payment_methods`;
const list = async (customer: string) => (await app.rest('GET', of(customer))).body.payment_methods;
const defaults = async () =>
  (await list('one')).flatMap((one: { svc_id: string; is_default: boolean }) => (one.is_default ? [one.svc_id] : []));
const choose = (svcId: string, customer = 'one') => app.rest('PUT', `${of(customer)}/${svcId}/set_as_default`);

it('are listed, those of a customer by pages, newest first', async () => {
  const { status, body } = await app.rest('GET', of('one'));
  expect([status, answerFaults('findAllCustomersPaymentMethods', 200, body)]).toEqual([200, []]);
  expect(body.payment_methods.map(({ svc_id }: { svc_id: string }) => svc_id)).toEqual([THIRD, SECOND, FIRST]);
  expect(body.payment_methods[2]).toEqual({
    ...{ svc_id: FIRST, is_default: true, payment_provider_code: 'main', payment_provider_type: 'adyen' },
    ...{ provider_method_id: 'pm_one', created_at: '2026-01-01T00:00:00Z' },
  });
  const page = await app.rest('GET', `${of('one')}?page=2&per_page=2`);
  expect([page.body.payment_methods.length, page.body.meta.total_count]).toEqual([1, 3]);
  expect((await app.rest('GET', of('none'))).body).toEqual(NOT_FOUND);
});

it('one is the default, whoever comes first, and those of others stay', async () => {
  const { status, body } = await choose(SECOND);
  expect([status, answerFaults('paymentMethodSetAsDefault', 200, body)]).toEqual([200, []]);
  expect(body.payment_method).toMatchObject({ svc_id: SECOND, is_default: true });
  expect(await defaults()).toEqual([SECOND]);
  const before = await everything(app.db);
  expect((await choose(SECOND)).body).toEqual(body);
  expect(await everything(app.db)).toEqual(before);
  await Promise.all([FIRST, SECOND, THIRD, FIRST, THIRD].map((one) => choose(one)));
  expect(await defaults()).toHaveLength(1);
  expect(await list('two')).toMatchObject([{ svc_id: OTHER, is_default: true }]);
  const text = `mutation ($svcId: UUID!, $dryRun: Boolean) {
    setDefaultPaymentMethod(externalCustomerId: "one", svcId: $svcId, dryRun: $dryRun) {
      isDefault changes { paymentMethods { nodes { svcId isDefault } } } } }`;
  const [chosen] = await defaults();
  const next = [FIRST, SECOND].find((one) => one !== chosen);
  for (const dryRun of [true, false]) {
    const { data } = await app.graphql(text, { svcId: next, dryRun });
    expect(data.setDefaultPaymentMethod.changes.paymentMethods.nodes).toEqual([{ svcId: chosen, isDefault: false }]);
    expect(await defaults()).toEqual([dryRun ? chosen : next]);
  }
});

it('a deleted default leaves none', async () => {
  await choose(THIRD);
  const { status, body } = await app.rest('DELETE', `${of('one')}/${THIRD}`);
  expect([status, answerFaults('destroyPaymentMethod', 200, body)]).toEqual([200, []]);
  expect(body.payment_method).toMatchObject({ svc_id: THIRD, is_default: false });
  expect(await defaults()).toEqual([]);
  expect(await list('one')).toHaveLength(2);
  const log = await app.db.prisma.auditLog.findMany({ where: { objectId: THIRD, action: 'payment_method.deleted' } });
  expect(log).toMatchObject([{ before: { isDefault: true }, after: null }]);
  for (const path of [`${of('one')}/${THIRD}`, `${of('one')}/${OTHER}`, `${of('none')}/${FIRST}`, `${of('one')}/x`]) {
    expect((await app.rest('DELETE', path)).body).toEqual(NOT_FOUND);
    expect((await app.rest('PUT', `${path}/set_as_default`)).body).toEqual(NOT_FOUND);
  }
});

it('are exported and imported again', async () => {
  const { payment_methods } = JSON.parse(await exportedTwice(app));
  expect(payment_methods.map(({ provider_type }: { provider_type: string }) => provider_type)).toContain('adyen');
});
