/** The audit of GraphQL over HTTP that the authors of its specification publish, against the whole gateway. */
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support.ts';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createTestApp();
});
afterAll(() => gateway.close());

async function fetchWithKey(input: unknown, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${gateway.key}`);
  return gateway.app.fetch(new Request(String(input), { ...init, headers }));
}

/** What the gateway does otherwise than it SHOULD or MAY, by the audit's identifier, and why; nothing. A MUST has no excuse. */
const OTHERWISE: Readonly<Record<string, string>> = {};

const audits = serverAudits({ url: 'http://gateway.test/graphql', fetchFn: fetchWithKey });

describe('audit', () => {
  it.each(audits)('$id $name', async (audit) => {
    const result = await audit.fn();
    const reason = result.status === 'ok' ? '' : `${result.status}: ${result.reason}`;
    const excuse = audit.name.startsWith('MUST') ? undefined : OTHERWISE[audit.id];
    expect({ id: audit.id, fails: reason !== '' }, reason).toEqual({ id: audit.id, fails: excuse !== undefined });
  });
});

it('every exception names an audit', () => {
  const known = new Set(audits.map(({ id }) => id));
  expect(Object.keys(OTHERWISE).filter((id) => !known.has(id))).toEqual([]);
});
