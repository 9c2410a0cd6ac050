import { describe, expect, it } from 'vitest';
import { standInGateway } from './stand-in.ts';

const { lines, send } = standInGateway();

const post = (query: string, variables?: object, more: { key?: string | null; accept?: string } = {}) =>
  send('/graphql', {
    method: 'POST',
    body: JSON.stringify({ query, variables }),
    key: more.key === undefined ? 'full' : more.key,
    headers: { Accept: more.accept ?? 'application/json' },
  });

describe('without a key', () => {
  it.each([null, 'nobody'])('%s: 401 before anything is read', async (key) => {
    for (const query of ['{ __typename }', '{ nonsense', '']) {
      const { status, body, headers } = await post(query, undefined, { key });
      expect({ status, body }).toEqual({
        status: 401,
        body: { errors: [{ message: 'Unauthorized', extensions: { code: 'unauthorized' } }] },
      });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('GET is refused too', async () => {
    expect((await send('/graphql?query={__typename}', { key: null })).status).toBe(401);
    expect((await send('/graphql?query={__typename}')).body).toEqual({ data: { __typename: 'Query' } });
  });

  it('a database that is away is no 401', async () => {
    const { status, body } = await post('{ number }', undefined, { key: 'unreachable' });
    expect([status, body.errors[0].extensions.code]).toEqual([503, 'service_unavailable']);
  });
});

describe('numbers', () => {
  it('go out with every digit, as strings', async () => {
    expect((await post('{ number }')).text).toBe('{"data":{"number":"4611686018427387904"}}');
  });

  it('come in with every digit, as a variable and as a literal', async () => {
    const body =
      '{"query":"query ($v: BigInt) { a: big(value: $v) b: big(value: 9007199254740995) }","variables":{"v":9007199254740993}}';
    const { text } = await send('/graphql', { method: 'POST', body });
    expect(text).toBe('{"data":{"a":"9007199254740993","b":"9007199254740995"}}');
  });

  it('of more than 1000 digits are refused before they are read', async () => {
    const body = (digits: number) =>
      `{"query":"query ($v: BigInt) { big(value: $v) }","variables":{"v":${'9'.repeat(digits)}}}`;
    const told = await send('/graphql', { method: 'POST', body: body(1001) });
    const errorDetails = { v: ['value_is_out_of_range'] };
    const errors = [{ path: ['v'], code: 'value_is_out_of_range', message: 'v is out of range' }];
    expect(told.body.errors[0].extensions).toEqual({ code: 'validation_errors', errorDetails, errors });
    expect(
      (await send('/graphql', { method: 'POST', body: body(1000) })).body.errors?.[0].extensions.errorDetails,
    ).toBe(undefined);
  });
});

it('variables in the address are read as exactly as those in a body', async () => {
  const get = (query: string, variables: string) =>
    send(`/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(variables)}`);
  const { text } = await get('query ($v: BigInt) { big(value: $v) }', '{"v":9007199254740993}');
  expect(text).toBe('{"data":{"big":"9007199254740993"}}');
  const { body } = await get('query ($t: String) { echo(text: $t) }', '{"t":"a\\u0000"}');
  expect(body.errors[0].extensions).toEqual({
    ...{ code: 'validation_errors', errorDetails: { t: ['value_is_invalid'] } },
    errors: [{ path: ['t'], code: 'value_is_invalid', message: 't is invalid' }],
  });
  const large = await get('query ($v: BigInt) { big(value: $v) }', `{"v":${'9'.repeat(1001)}}`);
  expect(large.body.errors[0].extensions.errors).toEqual([
    { path: ['v'], code: 'value_is_out_of_range', message: 'v is out of range' },
  ]);
  expect((await get('{ number }', '{"t":')).status).toBe(400);
});

it('fields are answered in the order in which they are asked for, whichever is ready first', async () => {
  const { text } = await post('{ late b: late number now }');
  expect(text).toMatch(/^{"data":{"late":"late","b":"late","number":"4611686018427387904","now":/);
});

it('another content type is refused', async () => {
  const sent = { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain' } };
  const { status, body } = await send('/graphql', sent);
  expect(status).toBe(415);
  expect(body.errors[0].extensions).toEqual({ code: 'unsupported_media_type' });
});

it.each(['application/xml', ';q=x', 'application/json;charset=utf-16'])(
  'nothing is executed for a client that takes no answer of ours: %s',
  async (accept) => {
    const headers = { 'Content-Type': 'application/json', Accept: accept };
    const { status, body } = await send('/graphql', { method: 'POST', body: '{"query":"{ nowhere }"}', headers });
    expect([status, body.errors]).toEqual([
      406,
      [{ message: 'Not acceptable', extensions: { code: 'not_acceptable' } }],
    ]);
  },
);

it.each([
  ['objects', `${'{a'.repeat(3000)}`],
  ['lists', `{ echo(text: ${'['.repeat(3000)}`],
  ['closed objects', `${'{a'.repeat(300)}${'}'.repeat(300)}`],
])('a document of %s without end is refused, whatever the stack holds', async (_name, query) => {
  const { body } = await post(query);
  expect(body.errors).toEqual([{ message: 'The document is nested too deeply.', extensions: { code: 'bad_request' } }]);
});

describe('errors', () => {
  const errorOf = async (query: string, variables?: object) => (await post(query, variables)).body.errors[0];

  it('of rules have their code and reason', async () => {
    expect(await errorOf('{ plan(code: "ghost") { code } }')).toMatchObject({
      message: 'plan not found',
      path: ['plan'],
      extensions: { code: 'object_not_found' },
    });
    expect((await errorOf('{ refused }')).extensions).toEqual({
      code: 'forbidden',
      reason: 'read_action_not_allowed_for_wallet',
    });
  });

  it('of validation name the fields', async () => {
    const mutation = 'mutation { updateCharge(plan: "pro.v2", charge: "c", input: { addOnId: "taken" }) { code } }';
    expect((await errorOf(mutation)).extensions).toEqual({
      code: 'validation_errors',
      errorDetails: { add_on_id: ['value_already_exist'] },
      errors: [
        {
          ...{ path: ['input', 'addOnId'], code: 'value_already_exist' },
          message: 'addOnId already exists: given: "taken"; allowed: what is not there yet',
        },
      ],
    });
  });

  it('that nobody foresaw are hidden and logged once', async () => {
    lines.length = 0;
    const { text, body, headers } = await post('{ boom }');
    const requestId = headers.get('x-request-id');
    expect(body.errors[0]).toMatchObject({
      message: 'Internal server error',
      path: ['boom'],
      extensions: { code: 'internal_server_error', requestId },
    });
    expect(text).not.toMatch(/secret|prisma|SELECT|stack/);
    const failures = lines.filter((line) => line.includes('secret detail'));
    expect(failures).toHaveLength(1);
    expect(JSON.parse(failures[0] ?? '')).toMatchObject({ requestId, path: 'boom' });
  });

  it('of an unreachable database say so and no more', async () => {
    const { text, body } = await post('{ down }');
    expect(body.errors[0].extensions).toEqual({ code: 'service_unavailable' });
    expect(text).not.toContain('db.internal');
  });

  it.each([
    ['{ nonsense', undefined, 'bad_request'],
    ['{ unknownField }', undefined, 'bad_request'],
    ['query ($v: BigInt) { big(value: $v) }', { v: 'abc' }, 'validation_errors'],
    ['{ big(value: "abc") }', undefined, 'bad_request'],
    ['{ echo(text: "a\\u0000b") }', undefined, 'validation_errors'],
    ['query ($t: String) { echo(text: $t) }', { t: 'a\0b' }, 'validation_errors'],
    ['query ($t: String) { echo(text: $t) }', { t: '\ud800' }, 'validation_errors'],
  ])('%s %j: %s', async (query, variables, code) => {
    const error = await errorOf(query, variables);
    expect(error.extensions.code).toBe(code);
    expect(error.message).not.toMatch(/Unexpected|Internal/);
  });

  it.each([
    ['application/json', 200],
    ['application/graphql-response+json', 400],
  ])('of validation answer %s with %i', async (accept, expected) => {
    const { status, headers } = await post('{ unknownField }', undefined, { accept });
    expect([status, headers.get('content-type')]).toEqual([expected, `${accept}; charset=utf-8`]);
  });

  it.each(['{"query":', '[]', '5', 'null', '{"query":5}'])('for the body %s are a 400', async (body) => {
    const { status, body: answer } = await send('/graphql', { method: 'POST', body });
    expect([status, answer.errors[0].extensions.code]).toEqual([400, 'bad_request']);
  });

  it('for a body over the limit are a 413', async () => {
    const small = standInGateway({ bodyLimit: 100 });
    const body = JSON.stringify({ query: `{ number } # ${'x'.repeat(200)}` });
    expect((await small.send('/graphql', { method: 'POST', body })).status).toBe(413);
  });

  it('no mutation runs behind GET', async () => {
    const query = 'mutation{setMetadata(id:"1",input:{metadata:1})}';
    expect((await send(`/graphql?query=${encodeURIComponent(query)}`)).status).toBe(405);
  });
});

it.each(['{ 1f }', '{', `${'{a'.repeat(201)}${'}'.repeat(201)}`])(
  '%s is a 400 where GraphQL is accepted',
  async (query) => {
    const answers = ['application/graphql-response+json', 'application/json'].map((accept) =>
      post(query, {}, { accept }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 200]);
  },
);
