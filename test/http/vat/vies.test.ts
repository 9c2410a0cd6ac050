import { pino } from 'pino';
import { expect, it } from 'vitest';
import { viesChecker } from '../../../src/http/vat/vies.ts';

const number = { country: 'GR', prefix: 'EL', digits: '123456789' };
const sent: unknown[] = [];

const answering = (answer: () => Response | Promise<Response>) =>
  viesChecker({
    ...{ url: 'https://vies.example/rest-api/', logger: pino({ level: 'silent' }), milliseconds: 200 },
    fetch: async (url, init) => {
      sent.push([url, init?.method, JSON.parse(String(init?.body))]);
      return answer();
    },
  })(number);

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

it('asks by the prefix of the register', async () => {
  expect(await answering(() => json({ valid: true }))).toBe('valid');
  expect(sent.at(-1)).toEqual([
    ...['https://vies.example/rest-api/check-vat-number', 'POST'],
    { countryCode: 'EL', vatNumber: '123456789' },
  ]);
});

it.each([
  ['invalid', () => json({ valid: false })],
  ['invalid', () => json({ actionSucceed: false, errorWrappers: [{ error: 'INVALID_INPUT' }] }, 400)],
  ['unavailable', () => json({ actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] })],
  ['unavailable', () => json({ valid: true }, 503)],
  ['unavailable', () => json({ valid: 'yes' })],
  ['unavailable', () => new Response('<html>')],
  ['unavailable', () => new Response(`{"valid":true,"a":"${'x'.repeat(200_000)}"}`)],
  ['unavailable', () => Promise.reject(new Error('no network'))],
] as const)('%s', async (expected, answer) => {
  expect(await answering(answer)).toBe(expected);
});

it('does not wait for ever', async () => {
  const check = viesChecker({
    ...{ url: 'https://vies.example', logger: pino({ level: 'silent' }), milliseconds: 20 },
    fetch: (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error()))),
  });
  expect(await check(number)).toBe('unavailable');
});
