import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../contract/operations.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { createPricedApp } from '../rest/priced.ts';
import { countStatements } from '../support.ts';

// Charges, filters, fixed charges and metadata of a plan, one at a time.

let app: Awaited<ReturnType<typeof createPricedApp>>;
beforeAll(async () => {
  app = await createPricedApp();
});
afterAll(() => app?.close());

const price = { charge_model: 'standard', properties: { amount: '2' } };
const call = (code: string | undefined, more: object = {}) => ({
  charge: { billable_metric_code: 'api_calls', code, ...price, ...more },
});
const desk = (code: string | undefined, more: object = {}) => ({
  fixed_charge: { add_on_code: 'desk', code, ...price, ...more },
});
const send = async (operation: string, method: string, path: string, body?: object) => {
  const answer = await app.rest(method, path, body);
  expect(answerFaults(operation, answer.status, answer.body), answer.text).toEqual([]);
  return answer;
};
const copies = (externalId: string) =>
  app.db.prisma.plan.findFirstOrThrow({
    where: { organizationId: app.organizationId, subscriptions: { some: { externalId } } },
    include: {
      charges: {
        where: { deletedAt: null },
        orderBy: { code: 'asc' },
        include: { filters: { where: { deletedAt: null } } },
      },
      fixedCharges: { where: { deletedAt: null }, orderBy: { code: 'asc' }, include: { unitsEvents: true } },
    },
  });
const logged = (action: string) =>
  app.db.prisma.auditLog.findMany({ where: { organizationId: app.organizationId, action }, orderBy: { id: 'asc' } });

describe('a charge of a plan', () => {
  it('is made, read, listed and deleted, and overrides follow where that is asked for', async () => {
    const sent = call('extra', {
      tax_codes: ['vat20'],
      cascade_updates: true,
      filters: [{ values: { region: ['eu'] }, properties: { amount: '9' } }],
    });
    const { status, body } = await send('createPlanCharge', 'POST', '/plans/family/charges', sent);
    expect([status, body.charge.code, body.charge.svc_parent_id]).toEqual([200, 'extra', null]);
    expect(body.charge).toMatchObject({
      properties: { amount: '2' },
      taxes: [{ code: 'vat20' }],
      filters: [{ values: { region: ['eu'] } }],
    });
    const found = await send('findPlanCharge', 'GET', '/plans/family/charges/extra');
    expect(found.body).toEqual(body);
    const { charges } = await copies('sub_own');
    expect(charges.map(({ code, parentId }) => [code, parentId === body.charge.svc_id])).toEqual([
      ['api_calls', false],
      ['extra', true],
    ]);
    expect(charges[1]?.filters).toMatchObject([{ properties: { amount: '9' } }]);
    expect((await copies('sub_gone')).charges).toHaveLength(1);
    await send('createPlanCharge', 'POST', '/plans/family/charges', call('alone'));
    expect((await copies('sub_own')).charges).toHaveLength(2);
    const first = await send('findAllPlanCharges', 'GET', '/plans/family/charges?page=1&per_page=2');
    expect(first.body.charges.map(({ code }: { code: string }) => code)).toEqual(['api_calls', 'extra']);
    expect(first.body.meta).toEqual({ current_page: 1, next_page: 2, prev_page: null, total_pages: 2, total_count: 3 });
    const gone = await send('destroyPlanCharge', 'DELETE', '/plans/family/charges/extra', {
      charge: { cascade_updates: true },
    });
    expect([gone.status, gone.body.charge.svc_id]).toEqual([200, body.charge.svc_id]);
    expect((await app.rest('DELETE', '/plans/family/charges/alone')).status).toBe(200);
    expect((await copies('sub_own')).charges.map(({ code }) => code)).toEqual(['api_calls']);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await app.rest(method, '/plans/family/charges/extra')).body).toEqual(NOT_FOUND);
    expect((await send('createPlanCharge', 'POST', '/plans/family/charges', call('extra'))).status).toBe(200);
    expect((await logged('charge.created')).map(({ after }) => (after as { code: string }).code)).toEqual([
      'extra',
      'alone',
      'extra',
    ]);
    expect(
      (await logged('charge.deleted')).map(({ before, after }) => [(before as { code: string }).code, after]),
    ).toEqual([
      ['extra', null],
      ['alone', null],
    ]);
  });

  it('says its code, and all that is wrong with it at once', async () => {
    const before = await everything(app.db);
    const wrong = call(undefined, {
      properties: { amount: '-1' },
      min_amount_cents: -1,
      charge_model: 'volume',
      pay_in_advance: true,
    });
    const { status, body } = await send('createPlanCharge', 'POST', '/plans/orchid/charges', wrong);
    expect([status, body.error_details]).toEqual([
      422,
      {
        code: ['value_is_mandatory'],
        properties: ['missing_volume_ranges'],
        min_amount_cents: ['value_is_out_of_range'],
        pay_in_advance: ['invalid_aggregation_type_or_charge_model'],
      },
    ]);
    const taken = await send('createPlanCharge', 'POST', '/plans/orchid/charges', call('grad'));
    expect(taken.body.error_details).toEqual({ code: ['value_already_exist'] });
    expect((await app.rest('POST', '/plans/orchid/charges', { charge: {} })).status).toBe(400);
    for (const [path, sent] of [
      ['/plans/none/charges', {}],
      ['/plans/orchid/charges', call('x', { billable_metric_code: 'none' })],
      ['/plans/orchid/charges', call('x', { tax_codes: ['none'] })],
    ] as const) {
      expect((await app.rest('POST', path, sent)).body).toEqual(NOT_FOUND);
    }
    const { errors } = await app.graphql(`mutation { createCharge(planCode: "orchid", input: {
      code: "grad", billableMetricCode: "api_calls", pricing: {standard: {amount: "-1"}} }) { code } }`);
    const told = errors?.[0]?.extensions?.errors as { path: string[]; code: string }[];
    expect(told.map(({ path, code }) => `${path.join('.')} ${code}`).sort()).toEqual([
      'input.code value_already_exist',
      'input.pricing.standard.amount invalid_amount',
    ]);
    expect(await everything(app.db)).toEqual(before);
  });
});

describe('a fixed charge of a plan', () => {
  it('is made, read, listed and deleted, with the units of who subscribed', async () => {
    const path = '/plans/family/fixed_charges';
    const { body } = await send(
      'createPlanFixedCharge',
      'POST',
      path,
      desk('extra', { units: 3, cascade_updates: true }),
    );
    expect(body.fixed_charge).toMatchObject({ code: 'extra', units: 3, svc_parent_id: null });
    expect((await send('findPlanFixedCharge', 'GET', `${path}/extra`)).body).toEqual(body);
    const [, copy] = (await copies('sub_same')).fixedCharges;
    expect(
      copy?.unitsEvents.map(({ units, effectiveAt }) => [Number(units), effectiveAt.toISOString()]).sort(),
    ).toEqual([
      [0, '2026-01-01T00:00:00.000Z'],
      [3, '2026-07-01T00:00:00.000Z'],
    ]);
    const { body: list } = await send('findAllPlanFixedCharges', 'GET', path);
    expect(list.fixed_charges.map(({ code }: { code: string }) => code)).toEqual(['desk', 'extra']);
    const gone = await send('destroyPlanFixedCharge', 'DELETE', `${path}/extra`, {
      fixed_charge: { cascade_updates: true },
    });
    expect(gone.status).toBe(200);
    expect((await copies('sub_same')).fixedCharges.map(({ code }) => code)).toEqual(['desk']);
    expect((await app.rest('GET', `${path}/extra`)).body).toEqual(NOT_FOUND);
    const wrong = await send('createPlanFixedCharge', 'POST', path, desk(' ', { units: '-1' }));
    expect(wrong.body.error_details).toEqual({ code: ['value_is_mandatory'], units: ['value_is_out_of_range'] });
    const { data } =
      await app.graphql(`mutation { createFixedCharge(planCode: "ahead", input: { code: "now", addOnCode: "desk",
      pricing: {standard: {amount: "10"}}, units: "2", payInAdvance: true, applyUnitsImmediately: true }) {
      changes { invoices { nodes { allFees { units amountCents } } } } } }`);
    expect(data.createFixedCharge.changes.invoices.nodes).toEqual([
      { allFees: [{ units: '2.0', amountCents: '2000' }] },
    ]);
  });
});

describe('a filter of a charge', () => {
  const path = '/plans/family/charges/api_calls/filters';
  it('changes its name and prices, keeps its values, and goes; overrides follow where that is asked for', async () => {
    const make = (region: string) =>
      app.rest('POST', path, {
        filter: { values: { region: [region] }, properties: { amount: '1' }, cascade_updates: true },
      });
    const one = (await make('eu')).body.filter;
    await make('us');
    const listed = await send('findAllPlanChargeFilters', 'GET', `${path}?page=1&per_page=1`);
    expect(listed.body).toMatchObject({ filters: [{ svc_id: one.svc_id }], meta: { total_count: 2, next_page: 2 } });
    const change = {
      invoice_display_name: 'Europe',
      properties: { amount: '5' },
      values: { region: ['us'] },
      cascade_updates: true,
    };
    const { body } = await send('updatePlanChargeFilter', 'PUT', `${path}/${one.svc_id}`, { filter: change });
    expect(body.filter).toEqual({ ...one, invoice_display_name: 'Europe', properties: { amount: '5' } });
    const ofCopy = async () =>
      (await copies('sub_own')).charges[0]?.filters.map(({ values, properties }) => [values, properties]);
    expect(await ofCopy()).toEqual([
      [{ region: ['eu'] }, { amount: '5' }],
      [{ region: ['us'] }, { amount: '1' }],
    ]);
    const kept = await send('updatePlanChargeFilter', 'PUT', `${path}/${one.svc_id}`, {
      filter: { invoice_display_name: null },
    });
    expect(kept.body.filter).toEqual({ ...one, properties: { amount: '5' } });
    const wrong = await send('updatePlanChargeFilter', 'PUT', `${path}/${one.svc_id}`, {
      filter: { properties: { amount: 1 } },
    });
    expect(wrong.body.error_details).toEqual({ properties: ['invalid_amount'] });
    const ask = (input: string) =>
      app.graphql(`mutation { updateChargeFilter(planCode: "family", chargeCode: "api_calls", svcId: "${one.svc_id}",
        input: ${input}) { values } }`);
    const refused = await ask('{ filterValues: [{ key: "region", values: ["us"] }] }');
    expect(refused.errors?.[0]?.extensions?.errorDetails).toEqual({ filter_values: ['value_cannot_be_changed'] });
    expect((await ask('{ filterValues: [{ key: "region", values: ["eu"] }] }')).errors).toBeUndefined();
    const gone = await send('destroyPlanChargeFilter', 'DELETE', `${path}/${one.svc_id}`, {
      filter: { cascade_updates: true },
    });
    expect([gone.status, gone.body.filter.svc_id]).toEqual([200, one.svc_id]);
    expect(await ofCopy()).toEqual([[{ region: ['us'] }, { amount: '1' }]]);
    for (const method of ['PUT', 'DELETE'] as const)
      expect((await app.rest(method, `${path}/${one.svc_id}`, { filter: change })).body).toEqual(NOT_FOUND);
    expect((await app.rest('DELETE', `${path}/none`)).body).toEqual(NOT_FOUND);
    const verbs = ['created', 'updated', 'deleted'].map((verb) => logged(`charge_filter.${verb}`));
    expect((await Promise.all(verbs)).map((list) => list.length)).toEqual([2, 2, 1]);
  });
});

describe('the metadata of a plan', () => {
  const path = '/plans/pro.v2/metadata';
  const found = async () => (await app.rest('GET', '/plans/pro.v2')).body.plan.metadata;

  it('is replaced, merged, and taken away by the key or as a whole', async () => {
    expect((await send('deletePlanMetadataKey', 'DELETE', `${path}/a`)).body).toEqual(NOT_FOUND);
    const made = await send('replacePlanMetadata', 'POST', path, { metadata: { a: '1', b: null } });
    expect([made.status, made.body]).toEqual([200, { metadata: { a: '1', b: null } }]);
    const merged = await send('mergePlanMetadata', 'PATCH', path, { metadata: { c: '3', a: null } });
    expect(merged.body).toEqual({ metadata: { a: null, b: null, c: '3' } });
    const entries = (await logged('plan.updated')).length;
    for (const [operation, method, at, body] of [
      ['mergePlanMetadata', 'PATCH', path, {}],
      ['mergePlanMetadata', 'PATCH', path, { metadata: { c: '3' } }],
      ['deletePlanMetadataKey', 'DELETE', `${path}/none`, undefined],
    ] as const) {
      expect((await send(operation, method, at, body)).body).toEqual(merged.body);
    }
    expect((await logged('plan.updated')).length).toBe(entries);
    expect((await send('deletePlanMetadataKey', 'DELETE', `${path}/b`)).body).toEqual({
      metadata: { a: null, c: '3' },
    });
    expect((await send('replacePlanMetadata', 'POST', path, { metadata: {} })).body).toEqual({ metadata: {} });
    expect((await send('deleteAllPlanMetadata', 'DELETE', path)).body).toEqual({ metadata: null });
    expect(await found()).toBeNull();
  });

  it('is refused where it cannot be stored, or is too much in all', async () => {
    const many = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${from + at}`, 'x']));
    await app.rest('POST', path, { metadata: many(0, 50) });
    for (const [metadata, details] of [
      [many(50, 1), { metadata: ['too_many_keys'] }],
      [{ a: 7 }, { 'metadata.a': ['value_is_invalid'] }],
      [{ a: 'x'.repeat(256) }, { 'metadata.a': ['value_is_too_long'] }],
      [['x'], { metadata: ['value_is_invalid'] }],
    ] as const) {
      const { status, body } = await send('mergePlanMetadata', 'PATCH', path, { metadata });
      expect([status, body.error_details]).toEqual([422, details]);
    }
    expect((await app.rest('POST', '/plans/none/metadata', { metadata: { a: 7 } })).body).toEqual(NOT_FOUND);
    expect(await found()).toEqual(many(0, 50));
  });

  it('keeps a key that objects have of themselves, however it is written', async () => {
    const raw = '{"metadata":{"__proto__":"x","constructor":"y"}}';
    const texts = [(await app.rest('POST', path, undefined, { raw })).text];
    texts.push((await app.rest('PATCH', path, undefined, { raw: '{"metadata":{"b":"1"}}' })).text);
    expect(texts).toEqual([raw, '{"metadata":{"b":"1","__proto__":"x","constructor":"y"}}']);
    const plan =
      '{"plan":{"name":"P","code":"proto","interval":"monthly","amount_cents":1,"amount_currency":"EUR","pay_in_advance":false,"metadata":{"__proto__":"x"}}}';
    expect((await app.rest('POST', '/plans', undefined, { raw: plan })).text).toContain('"metadata":{"__proto__":"x"}');
    const changed = await app.rest('PUT', '/plans/proto', undefined, {
      raw: '{"plan":{"metadata":{"__proto__":"z"}}}',
    });
    expect(changed.text).toContain('"metadata":{"__proto__":"z"}');
    expect((await app.rest('DELETE', '/plans/proto/metadata/__proto__')).body).toEqual({ metadata: {} });
  });
});

it('lists cost as many statements for one as for many', async () => {
  const counts = async (path: string) => countStatements(app.db, () => app.rest('GET', path));
  for (const [few, many] of [
    ['/plans/pro.v2/charges', '/plans/orchid/charges'],
    ['/plans/cedar/fixed_charges', '/plans/ahead/fixed_charges'],
  ] as const) {
    const [one, all] = [await counts(few), await counts(many)];
    expect([one, one]).toEqual([all, Math.min(all, 4)]);
  }
});

it('another organization has its own by the same codes', async () => {
  const before = await app.rest('GET', '/plans/family/charges');
  const { status } = await app.rest('DELETE', '/plans/family/charges/api_calls', undefined, { key: app.other });
  expect(status).toBe(200);
  await app.rest('POST', '/plans/family/metadata', { metadata: { a: '1' } }, { key: app.other });
  expect((await app.rest('GET', '/plans/family/charges')).body).toEqual(before.body);
  expect((await app.rest('GET', '/plans/family')).body.plan.metadata).toBeNull();
});
