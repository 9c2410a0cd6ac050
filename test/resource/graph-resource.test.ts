import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Field } from '../../src/billing/resource/field.ts';
import type { StoredRows } from '../../src/engine/resource/stored.ts';
import { schema } from '../../src/graphql/schema.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { camelled, GRAPH_SAMPLES, type GraphWrite, graphWrites } from '../rest/sample.ts';
import { countStatements, createTestApp, type TestApp } from '../support.ts';

// What resources do that have no REST routes: made, found, listed, changed, refused, tried, named and deleted by the graph.

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await app.db.prisma.billingEntity.create({
    data: { organizationId: app.organizationId, code: 'main', name: 'Main', isDefault: true },
  });
});
afterAll(() => app?.close());

const writeOf = (type: string, verb: GraphWrite['verb']) =>
  graphWrites.find((one) => one.type === type && one.verb === verb);

describe.each(Object.keys(GRAPH_SAMPLES))('%s', (type) => {
  const one = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const { made = {}, changed = {} } = GRAPH_SAMPLES[type] ?? {};
  const [sample, change] = [camelled(made), camelled(changed)] as Record<string, unknown>[];
  const stored = schema.getType(`Create${type}Input`)?.extensions.stored as StoredRows;
  const { resource } = stored;
  const fields = Object.entries<Field>(resource.fields);
  const all = fields.map(([name]) => name).join(' ');

  const create = (code: string, more: object = {}, selected = 'code') =>
    app.graphql(`mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${selected} } }`, {
      input: { ...sample, code, ...more },
    });
  const update = (code: string, input: unknown, selected = all) =>
    app.graphql(
      `mutation ($code: String!, $input: Update${type}Input!) { update${type}(code: $code, input: $input) { ${selected} } }`,
      { code, input },
    );
  const find = async (code: string) =>
    (await app.graphql(`query ($code: String!) { ${one}(code: $code) { ${all} } }`, { code })).data?.[one];
  const toldOf = ({ errors }: { errors: { extensions?: Record<string, unknown> }[] | undefined }) =>
    errors?.[0]?.extensions?.errorDetails;

  it('is made with all that was said, found and listed', async () => {
    const { data, errors } = await create('whole', {}, `svcId ${all}`);
    expect(errors).toBeUndefined();
    expect(data[`create${type}`]).toMatchObject({ ...sample, code: 'whole' });
    expect(await find('whole')).toEqual({ ...sample, code: 'whole' });
    const list = await app.graphql(`{ ${one}s(filter: { code: ["whole"] }) { totalCount nodes { ${all} } } }`);
    expect(list.data[`${one}s`]).toEqual({ totalCount: 1, nodes: [{ ...sample, code: 'whole' }] });
  });

  it('changes what was said, and null clears what can be empty', async () => {
    await create('changed');
    const { data, errors } = await update('changed', change);
    expect(errors).toBeUndefined();
    expect(data[`update${type}`]).toEqual({ ...sample, code: 'changed', ...change });
    for (const [name, { isMandatory, initial }] of fields) {
      const answer = await update('changed', { [name]: null });
      if (isMandatory && name !== 'code')
        expect([name, Object.values(toldOf(answer) ?? {})]).toEqual([name, [['value_is_mandatory']]]);
      else if (!isMandatory && initial === undefined) expect(answer.data[`update${type}`][name], name).toBeNull();
      else if (!isMandatory) expect(answer.data[`update${type}`][name], name).toEqual(change?.[name]);
    }
  });

  it('tells all that is wrong at once, and refuses a code that another one has, also of two that come at once', async () => {
    const blank = await create('blank', { name: ' ' });
    expect(toldOf(blank)).toEqual({ name: ['value_is_mandatory'] });
    const answers = await Promise.all(Array.from({ length: 6 }, () => create('raced')));
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    for (const answer of answers.filter(({ errors }) => errors))
      expect(toldOf(answer)).toEqual({ code: ['value_already_exist'] });
    expect(toldOf(await create('raced', { name: '' }))).toEqual({
      code: ['value_already_exist'],
      name: ['value_is_mandatory'],
    });
    expect((await update('none', change)).errors?.[0]?.extensions?.code).toBe('object_not_found');
  });

  it('is in the log with what changed, and what changes nothing is not', async () => {
    const { data } = await create('logged', {}, 'svcId');
    for (const _time of [1, 2]) await update('logged', { name: 'Logged' });
    const { svcId } = data[`create${type}`];
    const log = await app.db.prisma.auditLog.findMany({ where: { objectId: svcId }, orderBy: { id: 'asc' } });
    expect(log.map(({ action, before, after }) => [action, before, after])).toEqual([
      [`${resource.name}.created`, null, expect.objectContaining({ code: 'logged', name: made.name })],
      [`${resource.name}.updated`, { name: made.name }, { name: 'Logged' }],
    ]);
  });

  it('stays as it is where it was only tried', async () => {
    await create('tried');
    const before = await everything(app.db);
    for (const { name, verb } of graphWrites.filter((write) => write.type === type)) {
      const given = [verb !== 'create' && 'code: "tried"', verb !== 'destroy' && 'input: $input'].filter(Boolean);
      const declared = verb === 'destroy' ? '' : `($input: ${verb === 'create' ? 'Create' : 'Update'}${type}Input!)`;
      const input = verb === 'create' ? { ...sample, code: 'trial' } : change;
      const text = `mutation ${declared} { ${name}(${given.join(', ')}, dryRun: true) { changes { dryRun } } }`;
      const { data } = await app.graphql(text, verb === 'destroy' ? {} : { input });
      expect(data[name]).toEqual({ changes: { dryRun: true } });
    }
    expect(await everything(app.db)).toEqual(before);
  });

  it.runIf(writeOf(type, 'destroy'))('leaves its row and frees its code when it is deleted', async () => {
    const first = (await create('gone', {}, 'svcId')).data[`create${type}`].svcId;
    const destroy = () => app.graphql(`mutation { destroy${type}(code: "gone") { svcId code } }`);
    expect((await destroy()).data).toEqual({ [`destroy${type}`]: { svcId: first, code: 'gone' } });
    expect((await destroy()).errors?.[0]?.extensions?.code).toBe('object_not_found');
    expect(await find('gone')).toBeNull();
    const again = (await create('gone', {}, 'svcId')).data[`create${type}`].svcId;
    expect(again).not.toBe(first);
  });

  it('costs a handful of statements', async () => {
    await create('counted-first');
    expect(await countStatements(app.db, () => create('counted'))).toBeLessThanOrEqual(9);
    expect(await countStatements(app.db, () => update('counted', change))).toBeLessThanOrEqual(11);
  });
});

describe('a pricing unit', () => {
  const create = (input: object) =>
    app.graphql('mutation ($input: CreatePricingUnitInput!) { createPricingUnit(input: $input) { shortName } }', {
      input: { code: 'gold', name: 'Gold', shortName: 'G', ...input },
    });

  it('has a short name of three characters and a description of 600 at most', async () => {
    const { data, errors } = await create({ shortName: 'GOLD', description: '🪙'.repeat(601) });
    expect(data).toEqual({ createPricingUnit: null });
    expect(errors?.[0]?.extensions).toMatchObject({
      errorDetails: { short_name: ['value_is_too_long'], description: ['value_is_too_long'] },
      errors: [
        {
          path: ['input', 'shortName'],
          message: 'shortName is too long: given: "GOLD"; allowed: at most 3 characters',
        },
        { path: ['input', 'description'], message: expect.stringContaining('at most 600 characters') },
      ],
    });
    expect(
      (await create({ shortName: '🪙🪙🪙', description: '🪙'.repeat(400) })).data.createPricingUnit.shortName,
    ).toBe('🪙🪙🪙');
  });

  it('keeps its code, which may be sent along', async () => {
    await create({ code: 'kept' });
    const put = (input: object) =>
      app.graphql(
        'mutation ($input: UpdatePricingUnitInput!) { updatePricingUnit(code: "kept", input: $input) { code name } }',
        {
          input,
        },
      );
    const refused = await put({ code: 'other', name: 'Other' });
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      errors: [{ path: ['input', 'code'], code: 'value_cannot_be_changed' }],
    });
    expect((await put({ code: 'kept', name: 'Kept' })).data.updatePricingUnit).toEqual({ code: 'kept', name: 'Kept' });
  });

  it('prices the charges of a plan from when it is there', async () => {
    await app.rest('POST', '/billable_metrics', {
      billable_metric: { code: 'calls', name: 'Calls', aggregation_type: 'count_agg' },
    });
    const plan = (code: string, applied_pricing_unit: object) =>
      app.rest('POST', '/plans', {
        plan: {
          ...{ code, name: code, interval: 'monthly', pay_in_advance: false, amount_cents: 0, amount_currency: 'EUR' },
          charges: [
            {
              ...{ billable_metric_code: 'calls', charge_model: 'standard', properties: { amount: '1' } },
              applied_pricing_unit,
            },
          ],
        },
      });
    const unknown = await plan('priced', { code: 'silver', conversion_rate: '2' });
    expect([unknown.status, unknown.body.error_details]).toEqual([422, { pricing_unit: ['relation_must_exist'] }]);
    await create({ code: 'silver' });
    const priced = await plan('priced', { code: 'silver', conversion_rate: '2' });
    expect(priced.body.plan.charges[0].applied_pricing_unit).toEqual({ code: 'silver', conversion_rate: '2.0' });
    const none = await plan('unpriced', { code: 'silver' });
    expect([none.status, none.body.error_details]).toEqual([422, { conversion_rate: ['value_is_mandatory'] }]);
  });
});

describe('a custom section', () => {
  const shown = async () => {
    const { data } = await app.graphql(
      '{ billingEntity(code: "main") { selectedInvoiceCustomSections { code } } customer(externalId: "ada") { selectedInvoiceCustomSections { code } } }',
    );
    const codes = (owner: string) => data[owner].selectedInvoiceCustomSections.map((one: { code: string }) => one.code);
    return { entity: codes('billingEntity'), customer: codes('customer') };
  };
  const write = (text: string) => app.graphql(`mutation { ${text} { code } }`);

  it('is printed by the default entity while it is applied by default, and by nothing once it is deleted', async () => {
    await write('createInvoiceCustomSection(input: { code: "terms", name: "Terms", details: "Thirty days." })');
    const customer = { external_id: 'ada', invoice_custom_section_codes: ['terms'] };
    expect((await app.rest('POST', '/customers', { customer })).status).toBe(200);
    const others = (await shown()).entity;
    expect(others).not.toContain('terms');
    await write('updateInvoiceCustomSection(code: "terms", input: { appliedToOrganization: true })');
    expect(await shown()).toEqual({ entity: [...others, 'terms'].sort(), customer: ['terms'] });
    await write('updateInvoiceCustomSection(code: "terms", input: { appliedToOrganization: false })');
    expect(await shown()).toEqual({ entity: others, customer: ['terms'] });
    await write('updateInvoiceCustomSection(code: "terms", input: { appliedToOrganization: true })');
    const { id } = await app.db.prisma.invoiceCustomSection.findFirstOrThrow({ where: { code: 'terms' } });
    const { organizationId } = app;
    const owner = await app.db.prisma.customer.findFirstOrThrow({ where: { externalId: 'ada' } });
    const wallet = { organizationId, code: 'w', customerId: owner.id, currency: 'EUR', rateAmount: '1' };
    const { id: walletId } = await app.db.prisma.wallet.create({ data: wallet });
    await app.db.prisma.appliedInvoiceCustomSection.create({
      data: { organizationId, invoiceCustomSectionId: id, walletId },
    });
    await write('destroyInvoiceCustomSection(code: "terms")');
    expect(await shown()).toEqual({ entity: others, customer: [] });
    await write('createInvoiceCustomSection(input: { code: "terms", name: "Terms" })');
    expect(await shown()).toEqual({ entity: others, customer: [] });
    expect(await app.db.prisma.appliedInvoiceCustomSection.count({ where: { walletId } })).toBe(0);
    expect((await app.rest('POST', '/customers', { customer })).status).toBe(200);
    expect((await shown()).customer).toEqual(['terms']);
  });
});
