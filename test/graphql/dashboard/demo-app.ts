import { expect } from 'vitest';
import { createTestApp, type GraphQLAnswer, openDemoDatabase, statementsOf } from '../../support.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of any list
export type Shown = any;

/** The moment at which the demo is looked at. */
export const NOW = new Date('2026-11-27T12:00:00Z');

/** The gateway over the demo, compiled and not, with a key of each of its two organizations. */
export async function openDemoApp() {
  const { db, organizations } = await openDemoDatabase();
  const options = { db, now: () => NOW };
  const fast = await createTestApp({ ...options, fastPath: true });
  const slow = await createTestApp({ ...options, fastPath: false });
  const keys: string[] = [];
  for (const organizationId of organizations) keys.push(await fast.makeKey({ organizationId }));
  const [key = '', otherKey = ''] = keys;
  const [organizationId = '', otherId = ''] = organizations;

  const asked = async (query: string, variables: object, by: string): Promise<GraphQLAnswer> => {
    const executed = await slow.graphql(query, variables, by);
    for (let time = 0; time < 2; time += 1) {
      const { data, errors } = await fast.graphql(query, variables, by);
      expect({ data, errors }).toEqual({ data: executed.data, errors: executed.errors });
    }
    return executed;
  };
  /** The answer to one operation, which is the same by the fast path and without it, and has no errors. */
  const ask = async (query: string, variables: object = {}, by = key) => {
    const { data, errors } = await asked(query, variables, by);
    expect(errors).toBeUndefined();
    return data;
  };
  /** All rows of a list, read page by page; `args` narrow it. */
  const rowsOf = async (list: string, shown: string, args = '', by = key) => {
    const rows: Shown[] = [];
    for (let page = 1; ; page += 1) {
      const text = `{ ${list}(page: ${page}, perPage: 1000${args}) { nodes { ${shown} } meta { nextPage } } }`;
      const { data, errors } = await slow.graphql(text, {}, by);
      expect(errors).toBeUndefined();
      rows.push(...data[list].nodes);
      if (data[list].meta.nextPage === null) return rows;
    }
  };
  /** The statements of one operation that is executed, not compiled. */
  const statements = (query: string, variables: object = {}) =>
    statementsOf(db, async () => expect((await slow.graphql(query, variables, key)).errors).toBeUndefined());
  const close = async () => {
    await fast.close();
    await slow.close();
    await db.close();
  };
  return { db, organizationId, otherId, key, otherKey, ask, asked, rowsOf, statements, makeKey: fast.makeKey, close };
}

export type DemoApp = Awaited<ReturnType<typeof openDemoApp>>;
