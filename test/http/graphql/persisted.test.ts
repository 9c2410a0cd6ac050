import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { persistedOperations, readPersistedOperations } from '../../../src/http/graphql/persisted.ts';
import { standIn, standInGateway } from '../stand-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'persisted-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ECHO = 'query Echo($text: String) { echo(text: $text) }';
const HASH = createHash('sha256').update(ECHO).digest('hex');

const fileOf = (content: unknown) => {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

function gateway(only: boolean) {
  const operations = readPersistedOperations(fileOf({ [HASH]: ECHO, 'sha256:number': '{ number }' }), standIn());
  const { send } = standInGateway({ plugins: [persistedOperations({ operations, only })] });
  return {
    send,
    post: (body: object) => send('/graphql', { method: 'POST', body: JSON.stringify(body) }),
  };
}

const apq = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

describe.each([true, false])('only those of the list: %s', (only) => {
  const { send, post } = gateway(only);

  it('operations are named by document id or by hash', async () => {
    const variables = { text: 'a' };
    const ways = [
      await post({ documentId: HASH, variables }),
      await post({ documentId: `sha256:${HASH}`, variables }),
      await post({ extensions: apq(HASH), variables }),
      await send(`/graphql?documentId=${HASH}&variables=${encodeURIComponent(JSON.stringify(variables))}`),
      await send(
        `/graphql?extensions=${encodeURIComponent(JSON.stringify(apq(HASH)))}&variables=${encodeURIComponent(JSON.stringify(variables))}`,
      ),
    ];
    for (const { status, body } of ways) expect([status, body]).toEqual([200, { data: { echo: 'a' } }]);
    expect((await post({ documentId: 'number' })).text).toBe('{"data":{"number":"4611686018427387904"}}');
  });

  it('a name that is not on the list is a 400 that clients understand', async () => {
    const unknown = [await post({ documentId: 'other' }), await post({ extensions: apq('0'.repeat(64)) })];
    for (const { status, body } of unknown) {
      expect(status).toBe(400);
      const extensions = { code: 'persisted_query_not_found' };
      expect(body.errors).toEqual([{ message: 'PersistedQueryNotFound', extensions }]);
    }
  });

  it('neither a name nor a query is a 400', async () => {
    for (const body of [{}, { documentId: 5 }, { extensions: { persistedQuery: null } }]) {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].extensions.code).toBe('bad_request');
    }
  });

  it('another operation is executed or refused', async () => {
    for (const body of [{ query: '{ echo(text: "a") }' }, { query: '{ echo(text: "a") }', documentId: HASH }]) {
      const answer = await post(body);
      expect(answer.status).toBe(only ? 403 : 200);
      if (only) expect(answer.body.errors[0].extensions).toEqual({ code: 'persisted_query_only' });
      else expect(answer.body).toEqual({ data: { echo: 'a' } });
    }
  });

  it('the REST API has documents of its own', async () => {
    expect((await send('/api/v1/echo/a')).body).toEqual({ text: 'a' });
  });

  it('nothing without a key', async () => {
    expect((await send(`/graphql?documentId=${HASH}`, { key: null })).status).toBe(401);
  });
});

describe('the file', () => {
  it.each([
    [['a'], 'PERSISTED_OPERATIONS must be a JSON object of identifiers and documents'],
    ['{"a":', 'PERSISTED_OPERATIONS must be a JSON object of identifiers and documents'],
    [{ a: 5 }, 'PERSISTED_OPERATIONS a must be the text of a document'],
    [{ a: '{ echo' }, 'PERSISTED_OPERATIONS a: Syntax Error: Expected Name, found <EOF>.'],
    [{ a: '{ other }' }, 'PERSISTED_OPERATIONS a: Cannot query field "other" on type "Query".'],
  ])('%j: %s', (content, message) => {
    expect(() => readPersistedOperations(fileOf(content), standIn())).toThrow(message);
  });

  it('must be there', () => {
    expect(() => readPersistedOperations(join(folder, 'none.json'), standIn())).toThrow(
      /^PERSISTED_OPERATIONS cannot be read: ENOENT/,
    );
  });
});
