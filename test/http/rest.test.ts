import { createServer, request as nodeRequest, type Server } from 'node:http';
import { connect } from 'node:net';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeListener } from '../../src/http/listener.ts';
import { placeOf } from '../../src/http/observe/activity.ts';
import { standInGateway, standInRoutes } from './stand-in.ts';

const { gateway, lines, send } = standInGateway({ bodyLimit: 2000 });
const CHARGE = '/api/v1/plans/pro.v2/charges/api_calls';
const put = (body: string, path = CHARGE, key = 'full') => send(path, { method: 'PUT', body, key });

const BAD_REQUEST = { status: 400, error: 'Bad request' };
const UNAUTHORIZED = { status: 401, error: 'Unauthorized' };
const NOT_FOUND = { status: 404, error: 'Not Found', code: 'object_not_found' };
const invalid = (error_details: object) => ({
  status: 422,
  error: 'Unprocessable entity',
  code: 'validation_errors',
  error_details,
});

describe('answers', () => {
  it('are what the document asks for, with every digit', async () => {
    const { status, text } = await send(CHARGE);
    expect(status).toBe(200);
    expect(text).toBe(
      '{"charge":{"code":"api_calls","min_amount_cents":9007199254740993,"properties":{"amount":"0.10"}}}',
    );
  });

  it('carry the manners of an API', async () => {
    const { headers } = await send(CHARGE);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      vary: 'Accept, Authorization, Accept-Encoding',
    });
  });

  it('to HEAD have the headers and no body', async () => {
    const { status, headers, text } = await send(CHARGE, { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(50);
  });

  it('to OPTIONS name the methods', async () => {
    const { status, headers } = await send(CHARGE, { method: 'OPTIONS', key: null });
    expect([status, headers.get('allow')]).toEqual([204, 'GET, PUT, HEAD, OPTIONS']);
  });
});

describe('slashes at the ends', () => {
  const below = CHARGE.slice('/api/v1'.length);
  it.each([
    ['a base address that ends in a slash', `/api/v1/${below}`],
    ['two of them', `/api/v1//${below}`],
    ['a host that ends in a slash', `/${CHARGE}`],
    ['a path that ends in one', `${CHARGE}/`],
    ['all of it', `//api/v1/${below}//`],
  ])('%s: the answer is the same, and so is what is said of it', async (_, path) => {
    const plain = await send(`${CHARGE}?x=1`);
    const { status, text, headers } = await send(`${path}?x=1`);
    expect([status, text]).toEqual([200, plain.text]);
    expect(headers.get('location')).toBeNull();
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({ operation: 'readCharge', status: 200 });
    expect((await send(path, { key: null })).status).toBe(401);
    expect((await send(path, { method: 'OPTIONS', key: null })).headers.get('allow')).toBe('GET, PUT, HEAD, OPTIONS');
    const { door, route } = placeOf(new Request(`http://gateway.test${path}`), undefined);
    expect([door, route]).toEqual(['rest', 'unknown']);
  });

  it('an encoded slash belongs to its parameter, also at the end', async () => {
    expect((await send('/api/v1//echo/%2Fa%2F%2Fb%2F/')).body).toEqual({ text: '/a//b/' });
    expect((await send('/api/v1/echo/%2F')).body).toEqual({ text: '/' });
  });

  it('many slashes take no time', async () => {
    const begun = performance.now();
    await send(`/api/v1/${'/'.repeat(100_000)}a${'/'.repeat(100_000)}b`);
    expect(performance.now() - begun).toBeLessThan(500);
  });
});

describe('404', () => {
  it.each([
    ['GET', '/api/v1'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v1/unknown'],
    ['POST', CHARGE.slice(0)],
    ['DELETE', CHARGE],
    ['OPTIONS', '/api/v1/unknown'],
    ['GET', '//'],
    ['GET', '/api/v1///'],
    ['GET', '/api//v1/plans/pro.v2/charges/api_calls'],
    ['GET', '/api/v1x/plans/pro.v2/charges/api_calls'],
    ['GET', '/api/v1/plans//charges/api_calls'],
    ['GET', '/api/v1//plans//charges/api_calls/'],
    ['GET', '/api/v1/plans/pro.v2/charges/'],
    ['GET', '/api/v1/plans/pro.v2//charges/api_calls'],
    ['PATCH', '/api/v1/wallets//metadata'],
    ['GET', '/api/v1/plans/%ZZ/charges/api_calls'],
    ['GET', '/api/v1/plans/a%00b/charges/api_calls'],
    ['GET', '/api/v1/plans/%C3/charges/api_calls'],
  ])('%s %s, before the key is looked at', async (method, path) => {
    const { status, body } = await send(path, { method, key: null });
    expect({ status, body }).toEqual({ status: 404, body: NOT_FOUND });
  });

  it.each(['/api/v1/plans/ghost/charges/api_calls', '/api/v1/plans/pro.v2/charges/missing'])('GET %s', async (path) => {
    expect((await send(path)).body).toEqual(NOT_FOUND);
  });

  it.each([
    '{"charge":',
    '{}',
    '{"charge":{"min_amount_cents":"x"}}',
    '{"charge":{"a":"\\u0000"}}',
    '{"charge":{"x":1}}',
  ])('comes before 400 and 422: %s', async (body) => {
    expect((await put(body, '/api/v1/plans/ghost/charges/api_calls')).body).toEqual(NOT_FOUND);
    expect((await put(body, '/api/v1/plans/pro.v2/charges/missing')).body).toEqual(NOT_FOUND);
  });
});

describe('401', () => {
  it.each([
    {},
    { Authorization: 'Bearer' },
    { Authorization: 'Bearer ' },
    { Authorization: 'full' },
    { Authorization: 'Bearer null' },
    { Authorization: 'Bearer undefined' },
  ] as Record<string, string>[])('with %j', async (headers) => {
    const { status, body } = await send(CHARGE, { key: null, headers });
    expect({ status, body }).toEqual({ status: 401, body: UNAUTHORIZED });
  });

  it.each(['bearer full', 'BEARER full', 'Bearer   full'])(
    'does not mind how the scheme is written: %s',
    async (Authorization) => {
      expect((await send(CHARGE, { key: null, headers: { Authorization } })).status).toBe(200);
    },
  );

  it('comes before the body is read', async () => {
    expect((await put('{"charge":', CHARGE, 'nobody')).body).toEqual(UNAUTHORIZED);
  });
});

describe('403', () => {
  it('says what a secret key lacks, before the body and the objects are looked at', async () => {
    for (const body of ['{"charge":', '{"charge":{"x":1}}']) {
      const answer = await put(body, '/api/v1/plans/ghost/charges/x', 'reader');
      const code = 'write_action_not_allowed_for_plan';
      expect(answer.body).toEqual({ status: 403, error: 'Forbidden', code });
    }
  });

  it('says so to a publishable key', async () => {
    const code = 'publishable_key_not_allowed';
    expect((await send('/api/v1/echo/x', { key: 'public' })).body).toEqual({ status: 403, error: 'Forbidden', code });
    expect((await send(CHARGE, { key: 'public' })).status).toBe(200);
  });

  it('carries the reason of a rule', async () => {
    const code = 'read_action_not_allowed_for_wallet';
    expect((await send('/api/v1/refused')).body).toEqual({ status: 403, error: 'Forbidden', code });
  });
});

describe('400', () => {
  it.each([
    '',
    ' ',
    '{"charge":',
    '[]',
    'null',
    '"a"',
    '1',
    '{}',
    '{"charge":"x"}',
    '{"charge":""}',
    '{"charge":null}',
    '{"charge":[]}',
    '{"charge":{}}',
    '{"charge":[{"a":1}]}',
    '{"charge":{"a":01}}',
    '{"charge":{"a":NaN}}',
    '{"other":{"a":1}}',
    '\ufeff\ufeff{}',
    `{"charge":{"properties":${'['.repeat(70)}${']'.repeat(70)}}}`,
  ])('for the body %j', async (body) => {
    const answer = await put(body);
    expect(answer.body).toEqual(BAD_REQUEST);
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  it.each(['[]', 'null', '"a"', '7'])('where the whole body is the object: %j', async (body) => {
    const answer = await send('/api/v1/wallets/1/metadata', { method: 'PATCH', body });
    expect(answer.body).toEqual(BAD_REQUEST);
  });

  it('for bytes that are not UTF-8', async () => {
    const init = { method: 'PUT', body: new Uint8Array([0x7b, 0xff, 0x7d]), headers: { Authorization: 'Bearer full' } };
    const response = await gateway.fetch(new Request(`http://gateway.test${CHARGE}`, init));
    expect(await response.json()).toEqual(BAD_REQUEST);
  });

  it('not for another content type, and a body where none is taken is not read', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    expect((await send(CHARGE, { method: 'PUT', body: '{"charge":{"x":1}}', headers })).status).toBe(200);
  });
});

describe('413', () => {
  const body = JSON.stringify({ charge: { invoice_display_name: 'x'.repeat(3000) } });

  it('for a body over the limit', async () => {
    expect(await put(body)).toMatchObject({ status: 413, body: { status: 413, error: 'Payload Too Large' } });
  });

  it('also when its length is not told', async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (let count = 0; count < 10; count++) controller.enqueue(new TextEncoder().encode('x'.repeat(500)));
        controller.close();
      },
    });
    const init = { method: 'PUT', body: stream, duplex: 'half', headers: { Authorization: 'Bearer full' } };
    const response = await gateway.fetch(new Request(`http://gateway.test${CHARGE}`, init as RequestInit));
    expect(await response.json()).toEqual({ status: 413, error: 'Payload Too Large' });
  });
});

describe('422', () => {
  it.each([
    ['{"charge":{"min_amount_cents":"12"}}', { min_amount_cents: ['value_is_invalid'] }],
    ['{"charge":{"min_amount_cents":1.5}}', { min_amount_cents: ['value_is_invalid'] }],
    ['{"charge":{"invoice_display_name":[]}}', { invoice_display_name: ['value_is_invalid'] }],
    ['{"charge":{"invoice_display_name":true}}', { invoice_display_name: ['value_is_invalid'] }],
    [
      '{"charge":{"pay_in_advance":"yes","add_on_id":{}}}',
      { pay_in_advance: ['value_is_invalid'], add_on_id: ['value_is_invalid'] },
    ],
    ['{"charge":{"tax_codes":"vat"}}', { tax_codes: ['value_is_invalid'] }],
    ['{"charge":{"tax_codes":[true]}}', { tax_codes: ['value_is_invalid'] }],
    ['{"charge":{"tax_codes":7}}', { tax_codes: ['value_is_invalid'] }],
    ['{"charge":{"ranges":[{"from_value":""}]}}', { from_value: ['value_is_mandatory'] }],
    ['{"charge":{"ranges":[{"to_value":3}]}}', { from_value: ['value_is_mandatory'] }],
    ['{"charge":{"ranges":[{"from_value":null}]}}', { from_value: ['value_is_mandatory'] }],
    ['{"charge":{"ranges":{"from_value":1}}}', { ranges: ['value_is_invalid'] }],
    ['{"charge":{"ranges":[5]}}', { ranges: ['value_is_invalid'] }],
    ['{"charge":{"invoice_display_name":"a\\u0000b"}}', { invoice_display_name: ['value_is_invalid'] }],
    ['{"charge":{"invoice_display_name":"\\ud800"}}', { invoice_display_name: ['value_is_invalid'] }],
    ['{"charge":{"properties":{"list":["\\udc00"]}}}', { properties: ['value_is_invalid'] }],
    ['{"charge":{"add_on_id":"taken"}}', { add_on_id: ['value_already_exist'] }],
  ])('%s', async (body, details) => {
    expect((await put(body)).body).toEqual(invalid(details));
  });
});

it('a NUL in the query is a 422 that names the parameter', async () => {
  expect((await send(`${CHARGE}?status=a%00b&codes[]=x`)).body).toEqual(invalid({ status: ['value_is_invalid'] }));
  expect((await send(`${CHARGE}?codes%5B%5D=%00`)).body).toEqual(invalid({ codes: ['value_is_invalid'] }));
});

describe('casts', () => {
  it('numbers are taken for texts, with every digit', async () => {
    const { body } = await put('{"charge":{"tax_codes":[1,20.5,1e21,123456789012345678901,1e-7,"a"]}}');
    expect(body.charge.tax_codes).toEqual([
      '1',
      '20.5',
      `1${'0'.repeat(21)}`,
      '123456789012345678901',
      '0.0000001',
      'a',
    ]);
  });

  it('an empty text says nothing where no text belongs', async () => {
    const { status, body } = await put('{"charge":{"pay_in_advance":"","min_amount_cents":"","tax_codes":[""]}}');
    expect([status, body.charge.min_amount_cents, body.charge.tax_codes]).toEqual([200, null, ['']]);
  });
});

describe('bodies', () => {
  const metadata = async (body: string) => (await send('/api/v1/wallets/1/metadata', { method: 'PATCH', body })).text;

  it('keep integers past 2^53', async () => {
    const { text } = await put(
      '{"charge":{"min_amount_cents":123456789012345678,"properties":{"deep":[-98765432109876543210]}}}',
    );
    expect(text).toContain('"min_amount_cents":123456789012345678,');
    expect(text).toContain('"deep":[-98765432109876543210]');
  });

  it.each([
    ...['1234567890123456.7', '4503599627370497.5', '9007199254740993.0', '0.12345678901234567'],
    ...['1.2345678901234567891e30', '-123456789012345.678901', '123456789012345678.9'],
  ])('with a decimal of more digits than a number holds are refused: %s', async (number) => {
    const { status, body } = await put(`{"charge":{"properties":{"deep":[${number}]}}}`);
    expect([status, body.error_details]).toEqual([422, { properties: ['value_is_invalid'] }]);
  });

  it.each(['0.30000000000000004', '123456789012345.6', '1.7976931348623157e308'])(
    'keep a decimal that a number holds: %s',
    async (number) => {
      const { text } = await put(`{"charge":{"properties":{"deep":[${number}]}}}`);
      expect(text).toContain(`"deep":[${String(Number(number))}]`);
    },
  );

  it('keep digits inside of strings and names', async () => {
    const body = '{"metadata":{"12345678901234567890":"12345678901234567890","\\"9007199254740993":9007199254740993}}';
    expect(await metadata(body)).toBe(body);
  });

  it('know no special names', async () => {
    const body = '{"metadata":{"__proto__":"x","constructor":"y","toString":null}}';
    expect(await metadata(body)).toBe(body);
  });

  it('of equal names keep the last', async () => {
    expect(await metadata('{"metadata":{"a":1,"a":2}}')).toBe('{"metadata":{"a":2}}');
  });

  it('keep text of any script', async () => {
    const body = '{"metadata":{"東京":"ünï 😀 \\u2028 \\"q\\" \\\\ \\n"}}';
    expect(JSON.parse(await metadata(body))).toEqual(JSON.parse(body));
  });

  it('lose members that the document does not know', async () => {
    expect((await put('{"charge":{"unknown":{"a":[1]},"tax_codes":[]},"more":1}')).body.charge.tax_codes).toEqual([]);
  });
});

describe('faults', () => {
  it('are hidden, and logged once with the id of the request', async () => {
    lines.length = 0;
    const { status, body, text, headers } = await send('/api/v1/boom', { headers: { 'X-Request-Id': 'req-7' } });
    expect({ status, body }).toEqual({
      status: 500,
      body: { status: 500, error: 'Internal Server Error', request_id: 'req-7' },
    });
    expect(text).not.toMatch(/secret|prisma|SELECT/);
    expect(headers.get('x-request-id')).toBe('req-7');
    const failures = lines.filter((line) => line.includes('secret detail'));
    expect(failures).toHaveLength(1);
    expect(JSON.parse(failures[0] ?? '')).toMatchObject({ requestId: 'req-7', level: 50 });
  });

  it('of the database are a 503', async () => {
    const unavailable = { status: 503, error: 'Service Unavailable' };
    expect((await send('/api/v1/down')).body).toEqual(unavailable);
    expect((await send(CHARGE, { key: 'unreachable' })).body).toEqual(unavailable);
  });

  it('of mutations are hidden too; conflicts are not', async () => {
    expect((await put('{"charge":{"add_on_id":"boom"}}')).body).toMatchObject({
      status: 500,
      error: 'Internal Server Error',
    });
    const conflict = { status: 409, error: 'Conflict', code: 'conflict' };
    expect((await put('{"charge":{"add_on_id":"conflict"}}')).body).toEqual(conflict);
  });
});

describe('routes are checked at start', () => {
  const [read] = standInRoutes;
  it.each([
    ['an unknown permission', { permission: 'planet:read' }],
    ['a field the schema lacks', { document: parse('{ nothing }') }],
    ['a mutation behind GET', { document: parse('mutation { setMetadata(id: "1", input: { metadata: {} }) }') }],
    ['two operations', { document: parse('query A { number } query B { number }') }],
  ])('%s', (_, change) => {
    expect(() => standInGateway({ routes: [{ ...(read as never as object), ...change } as never] })).toThrow(
      /readCharge/,
    );
  });
});

describe('over a socket', () => {
  let server: Server;
  let port = 0;
  beforeAll(async () => {
    server = createServer(nodeListener(gateway));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const get = (path: string, host = 'localhost') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { Authorization: 'Bearer full', Host: host };
      const sent = nodeRequest({ port, path, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      });
      sent.on('error', reject).end();
    });

  it.each([
    ['orbit.example', 'orbit.example'],
    ['team%2F42', 'team/42'],
    ['a%20b%2Bc', 'a b+c'],
    ['a+b', 'a+b'],
    ['50%25off', '50%off'],
    ['%C3%BCn%C3%AF-%E6%9D%B1', 'ünï-東'],
    ['x%252Fy', 'x%2Fy'],
    ['..', '..'],
    ['.', '.'],
    ['%2e%2e', '..'],
    ['a;b=c', 'a;b=c'],
    ['__proto__', '__proto__'],
    ['a%3Fb%23c', 'a?b#c'],
    ['x?query=1', 'x'],
  ])('%s is decoded once', async (segment, text) => {
    const answer = await get(`/api/v1/echo/${segment}`);
    expect({ ...answer, text: JSON.parse(answer.text) }).toEqual({ status: 200, text: { text } });
  });

  it('knows the absolute form of a target and refuses a host that is none', async () => {
    expect((await get('http://other.test/api/v1/echo/x')).status).toBe(200);
    expect(await get('/api/v1/echo/x', 'a b')).toEqual({ status: 400, text: JSON.stringify(BAD_REQUEST) });
  });

  it('does not climb out of the prefix', async () => {
    expect(JSON.parse((await get('/api/v1/../../health')).text)).toEqual(NOT_FOUND);
  });

  it('answers 413 to a body of unknown length when it has grown too long', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('close', () => resolve(received)).on('error', reject);
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      socket.write(
        `PUT ${CHARGE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer full\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
      );
    });
    expect(text).toMatch(/^HTTP\/1.1 413/);
    expect(text).toContain('Payload Too Large');
  });

  it('answers 413 while the body is still coming', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
        if (received.includes('Payload Too Large')) socket.destroy();
      });
      socket.on('close', () => resolve(received)).on('error', reject);
      socket.write(
        `PUT ${CHARGE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer full\r\nContent-Length: 100000\r\n\r\n{"charge":`,
      );
    });
    expect(text).toMatch(/^HTTP\/1.1 413/);
  });
});
