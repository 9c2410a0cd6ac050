import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snakeCase } from '../../src/billing/name-case.ts';
import { type Field, sentName } from '../../src/billing/resource/field.ts';
import type { StoredRows } from '../../src/engine/resource/stored.ts';
import { schema } from '../../src/graphql/schema.ts';
import { everything } from '../graphql/write/snapshot.ts';
import { NOT_FOUND } from '../rest/guarded.ts';
import { bodyOf, camel, camelled, NOT_SHOWN, routeOf, SAMPLES, saidOf, sampleBody } from '../rest/sample.ts';
import { countStatements, createTestApp, type TestApp } from '../support.ts';

// What every resource does: made, read, listed, changed, refused, tried, named and deleted through both doors.

const clock = { now: new Date('2026-06-15T12:00:00Z') };
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => clock.now });
});
afterAll(() => app?.close());

describe.each(Object.keys(SAMPLES))('%s', (type) => {
  const [create, change] = [routeOf(type, 'create'), routeOf(type, 'update')];
  const { root } = create;
  const path = create.route.path;
  const {
    made = {},
    changed = {},
    least: bare = {},
    needed = [],
    keepsCode = false,
    isKept = false,
  } = SAMPLES[type] ?? {};
  const stored = schema.getType(`Create${type}Input`)?.extensions.stored as StoredRows;
  const fields = Object.entries<Field>(stored.resource.fields).map(
    ([name, field]) => [snakeCase(name), field] as const,
  );
  // A member where bodies have it, which may be in an object of theirs.
  const fieldOf = (name: string) => fields.find(([own]) => own === name)?.[1] as Field;
  const placed = (name: string, value: unknown) => bodyOf(camel(name), fieldOf(name), value);
  const toldAs = (name: string) => {
    const field = fieldOf(name);
    return snakeCase(field.group ? name : sentName(camel(name), field));
  };
  // What nobody has said of a new one follows from the rest of it.
  const derived: readonly string[] = type === 'BillingEntity' ? ['document_number_prefix'] : [];
  const isWhole = type === 'BillingEntity';
  const mandatory = fields.filter(([, { isMandatory }]) => isMandatory).map(([name]) => name);
  // A value of a name that is refused, where one may be left out too.
  const [badName, badCode] = mandatory.includes('name')
    ? [' ', 'value_is_mandatory']
    : ['x'.repeat(256), 'value_is_too_long'];
  // Some are shown without an identifier: by REST they are known by their code alone.
  const idOf = async (code: string): Promise<string> =>
    (await app.graphql(`{ found: ${camel(root)}(code: "${code}") { svcId } }`)).data.found.svcId;
  // The contract has no null for it.
  const nullOf = (kind: Field['kind']) => (kind === 'expression' ? '' : null);
  const codeOf = (name: string) => {
    const isChoice = fields.some(([own, { kind }]) => own === name && (kind === 'choice' || kind === 'boolean'));
    return isChoice ? 'value_is_invalid' : 'value_is_mandatory';
  };
  const make = (code: string, more: object = {}) => app.rest('POST', path, { [root]: { ...made, code, ...more } });
  const log = (objectId: string) =>
    app.db.prisma.auditLog.findMany({ where: { objectId }, orderBy: { createdAt: 'asc' } });
  const input = camelled(made) as object;
  /** The members that a body says something of, as answers have them. */
  const shown = (given: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      fields
        .filter(([name, { kind }]) => kind !== 'codes' && !NOT_SHOWN.includes(name))
        .map(([name, field]): [string, unknown] => [name, saidOf(given, camel(name), field)])
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, name === 'rate' ? Number(value) : value]),
    );

  it('is made with all that was said, and found by its code', async () => {
    const { status, body } = await make('whole');
    expect(status).toBe(200);
    expect(body[root]).toMatchObject({ ...shown(made), code: 'whole', created_at: '2026-06-15T12:00:00Z' });
    expect((await app.rest('GET', `${path}/whole`)).body[root]).toEqual(body[root]);
  });

  it('is made with its initial values', async () => {
    const least = Object.fromEntries([...mandatory, ...needed].map((name) => [name, made[name]]));
    const { status, body } = await app.rest('POST', path, { [root]: { ...least, ...bare, code: 'least' } });
    expect(status).toBe(200);
    for (const [name, { kind, initial, isMandatory }] of fields) {
      const isSaid = isMandatory || needed.includes(name) || derived.includes(name);
      if (kind !== 'codes' && !isSaid && !NOT_SHOWN.includes(name))
        expect(body[root][name], name).toEqual(
          kind === 'decimal' && initial !== undefined ? Number(initial) : (initial ?? nullOf(kind)),
        );
    }
  });

  it.runIf(isWhole)('is listed as a whole, the oldest first', async () => {
    for (const code of ['page-a', 'page-b']) await make(code);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const { body } = await app.rest('GET', `${path}?page=2&per_page=1`);
    expect(Object.keys(body)).toEqual([name]);
    const codes = body[name].map((one: { code: string }) => one.code);
    expect(codes.slice(-2)).toEqual(['page-a', 'page-b']);
    expect(codes.length).toBe(new Set(codes).size);
  });

  it.runIf(!isWhole)('is listed by pages', async () => {
    for (const code of ['page-a', 'page-b', 'page-c']) await make(code);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const { body } = await app.rest('GET', `${path}?page=2&per_page=2`);
    expect(body[name]).toHaveLength(2);
    const total = body.meta.total_count;
    expect(total).toBeGreaterThan(4);
    expect(body.meta).toMatchObject({ current_page: 2, prev_page: 1, next_page: 3, total_pages: Math.ceil(total / 2) });
    const codes = (await app.rest('GET', path)).body[name].map((one: { code: string }) => one.code);
    expect(new Set(codes).size).toBe(total);
    expect((await app.rest('GET', `${path}?page=x&per_page=-1`)).body[name]).toHaveLength(total);
  });

  it('changes what was said, and nothing else', async () => {
    const before = (await make('changed')).body[root];
    const { status, body } = await app.rest('PUT', `${path}/changed`, { [root]: changed });
    expect(status).toBe(200);
    expect(body[root]).toEqual({ ...before, ...shown(changed) });
    expect((await app.rest('GET', `${path}/changed`)).body[root]).toEqual(body[root]);
    const renamed = await app.rest('PUT', `${path}/changed`, { [root]: { code: 'renamed' } });
    expect(renamed.body[root]).toEqual({ ...body[root], code: keepsCode ? 'changed' : 'renamed' });
    const left: Record<string, unknown> = keepsCode ? renamed.body : NOT_FOUND;
    expect((await app.rest('GET', `${path}/changed`)).body[root]).toEqual(left[root]);
  });

  it('null clears what can be empty, is refused of what must be there, and says nothing elsewhere', async () => {
    const before = (await make('nulls', bare)).body[root];
    for (const [name, { kind, initial, isMandatory }] of fields) {
      if (keepsCode && name === 'code') continue;
      const { status, body } = await app.rest('PUT', `${path}/nulls`, { [root]: placed(name, null) });
      const isNeeded = isMandatory || needed.includes(name);
      expect([name, status]).toEqual([name, isNeeded ? 422 : 200]);
      if (isNeeded) expect(body.error_details).toEqual({ [name]: [codeOf(name)] });
      else if (kind !== 'codes' && !NOT_SHOWN.includes(name))
        expect(body[root][name], name).toEqual(initial === undefined ? nullOf(kind) : before[name]);
    }
  });

  it('tells all that is wrong with a body at once', async () => {
    const { body } = await app.rest('POST', path, { [root]: { description: 'x' } });
    const missing = Object.fromEntries(mandatory.map((name) => [name, [codeOf(name)]]));
    expect(body).toMatchObject({ status: 422, code: 'validation_errors', error_details: missing });
    const blank = Object.fromEntries(mandatory.map((name) => [name, ' ']));
    const { error_details } = (await app.rest('POST', path, { [root]: blank })).body;
    expect(Object.keys(error_details).sort()).toEqual([...mandatory].sort());
    await make('taken');
    const taken = await make('taken', { name: badName });
    expect(taken.body.error_details).toEqual({ code: ['value_already_exist'], name: [badCode] });
    for (const [name, { kind }] of fields) {
      const wrong = kind === 'text' ? ['x'] : kind === 'currency' ? 'XXX' : 'no such value';
      const refused = await make('wrong', { ...placed(name, wrong), name: name === 'name' ? wrong : badName });
      expect([name, refused.status, Object.keys(refused.body.error_details).sort()]).toEqual([
        ...[name, 422],
        [...new Set(['name', toldAs(name)])].sort(),
      ]);
    }
  });

  it('refuses a body without its root, and asks for the path first', async () => {
    for (const body of [undefined, {}, { [root]: {} }, { other: made }, []]) {
      expect((await app.rest('POST', path, body)).body).toEqual({ status: 400, error: 'Bad request' });
      expect((await app.rest('PUT', `${path}/none`, body)).body).toEqual(NOT_FOUND);
    }
    expect((await app.rest('PUT', `${path}/none`, { [root]: { name: badName } })).body).toEqual(NOT_FOUND);
    await make('there');
    expect((await app.rest('PUT', `${path}/there`, {})).status).toBe(400);
    const methods = isKept ? ['GET'] : ['GET', 'DELETE'];
    for (const method of methods) expect((await app.rest(method, `${path}/none`)).body).toEqual(NOT_FOUND);
  });

  it('refuses a code that another one has, also of two that come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => make('raced')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((one) => one.status !== 200)) {
      expect([status, body.error_details]).toEqual([422, { code: ['value_already_exist'] }]);
    }
    await make('racing');
    if (keepsCode) return;
    const taken = await app.rest('PUT', `${path}/racing`, { [root]: { code: 'raced' } });
    expect([taken.status, taken.body.error_details]).toEqual([422, { code: ['value_already_exist'] }]);
  });

  it.runIf(!isKept)('leaves its row and frees its code when it is deleted', async () => {
    const made = (await make('gone')).body[root];
    const id = await idOf('gone');
    const { status, body } = await app.rest('DELETE', `${path}/gone`);
    expect([status, body[root].svc_id, body[root].code]).toEqual([200, made.svc_id, 'gone']);
    for (const method of ['GET', 'DELETE']) expect((await app.rest(method, `${path}/gone`)).body).toEqual(NOT_FOUND);
    expect((await app.rest('PUT', `${path}/gone`, { [root]: changed })).body).toEqual(NOT_FOUND);
    const again = (await make('gone')).body;
    expect(await idOf('gone')).not.toBe(id);
    expect((await app.rest('GET', `${path}/gone`)).body).toEqual(again);
  });

  it('is in the log with what changed, and what changes nothing is not', async () => {
    await make('logged');
    const id = await idOf('logged');
    clock.now = new Date('2026-06-15T12:00:01Z');
    const put = () => app.rest('PUT', `${path}/logged`, { [root]: { name: 'Logged' } });
    await put();
    clock.now = new Date('2026-06-15T12:00:02Z');
    await put();
    if (!isKept) await app.rest('DELETE', `${path}/logged`);
    clock.now = new Date('2026-06-15T12:00:00Z');
    const entries = await log(id);
    expect(entries.map(({ action, objectType }) => [action, objectType])).toEqual(
      ['created', 'updated', ...(isKept ? [] : ['deleted'])].map((verb) => [`${root}.${verb}`, root]),
    );
    const [one, two, three] = entries;
    expect([one?.before, two?.before, two?.after]).toEqual([null, { name: made.name }, { name: 'Logged' }]);
    expect(one?.after).toMatchObject({ code: 'logged', name: made.name });
    if (isKept) return;
    expect(three?.after).toBeNull();
    expect(three?.before).toEqual({ ...(one?.after as object), name: 'Logged' });
  });

  it('is written by GraphQL in the same words, and told what changed', async () => {
    const text = `mutation ($input: Create${type}Input!) { create${type}(input: $input) {
      code name changes { dryRun auditLogs { nodes { action } } } } }`;
    const { data, errors } = await app.graphql(text, { input: { ...input, code: 'graphed' } });
    expect(errors).toBeUndefined();
    expect(data[`create${type}`]).toEqual({
      ...{ code: 'graphed', name: made.name },
      changes: { dryRun: false, auditLogs: { nodes: [{ action: `${root}.created` }] } },
    });
    const refused = await app.graphql(text, { input: { ...input, code: 'graphed', name: badName } });
    expect(refused.data).toEqual({ [`create${type}`]: null });
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: 'validation_errors',
      errorDetails: { code: ['value_already_exist'], name: [badCode] },
      errors: expect.arrayContaining([
        expect.objectContaining({ path: ['input', 'code'], code: 'value_already_exist' }),
        expect.objectContaining({ path: ['input', 'name'], code: badCode }),
      ]),
    });
  });

  it('stays as it is where it was only tried', async () => {
    await make('tried');
    const before = await everything(app.db);
    const text = `mutation ($made: Create${type}Input!, $changed: Update${type}Input!) {
      create${type}(input: $made, dryRun: true) { code }
      update${type}(code: "tried", input: $changed, dryRun: true) { name changes { dryRun } }
      ${isKept ? '' : `destroy${type}(code: "tried", dryRun: true) { code changes { dryRun } }`} }`;
    const variables = { made: { ...input, code: 'trial' }, changed: { name: 'Tried' } };
    const { data, errors } = await app.graphql(text, variables);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      [`create${type}`]: { code: 'trial' },
      [`update${type}`]: { name: 'Tried', changes: { dryRun: true } },
      ...(!isKept && { [`destroy${type}`]: { code: 'tried', changes: { dryRun: true } } }),
    });
    expect(await everything(app.db)).toEqual(before);
  });

  it('is done once where the request is named', async () => {
    const headers = { 'Idempotency-Key': `${type}-once` };
    const send = () => app.rest('POST', path, sampleBody(create, 'once'), { headers });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await log(await idOf('once'))).toHaveLength(1);
  });

  it('costs a handful of statements', async () => {
    await make('warm');
    const counts = {
      create: await countStatements(app.db, () => make('counted', SAMPLES[type]?.quiet)),
      update: await countStatements(app.db, () => app.rest('PUT', `${path}/counted`, sampleBody(change, ''))),
      find: await countStatements(app.db, () => app.rest('GET', `${path}/counted`)),
      list: await countStatements(app.db, () => app.rest('GET', path)),
      destroy: isKept ? 0 : await countStatements(app.db, () => app.rest('DELETE', `${path}/counted`)),
    };
    expect(counts.create).toBeLessThanOrEqual(6);
    expect(counts.update).toBeLessThanOrEqual(10);
    expect(counts.destroy).toBeLessThanOrEqual(9);
    expect(counts.find).toBe(1);
    expect(counts.list).toBeLessThanOrEqual(3);
  });
});
