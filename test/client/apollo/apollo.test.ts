import { readFile } from 'node:fs/promises';
import { buildSchema, isAbstractType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeInvoice, makeSeller } from '../../invoice-rows.ts';
import { createFullApp } from '../../robust/full-app.ts';
import { createTestApp, type TestApp } from '../../support.ts';
import { areMissing, fileOf, runNode } from '../peer.ts';

const schema = buildSchema(await readFile(fileOf('../../schema.graphql'), 'utf8'));
const possibleTypes = Object.fromEntries(
  Object.values(schema.getTypeMap())
    .filter(isAbstractType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
);

/** The objects that lie within others in a cache although their type has an identifier, by their types. */
function embedded(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const type = schema.getType('__typename' in value ? String(value.__typename) : '');
  const own = isObjectType(type) && 'id' in type.getFields() ? [type.name] : [];
  return [...own, ...Object.values(value).flatMap(embedded)];
}

const notNormalised = (cache: object): string[] =>
  Object.values(cache).flatMap((one) => Object.values(one).flatMap(embedded));

const generate = () => runNode(new URL('./', import.meta.url), 'generate.mjs');

describe.skipIf(areMissing)(
  'Apollo Client with graphql-codegen, where `npm ci --prefix test/client` has installed them',
  () => {
    let app: TestApp;
    const sent: Headers[] = [];

    // Not imported by its name: what it imports is there only once the clients are installed and its types generated.
    const openClient = async () => {
      const { open, ...reads } = await import(fileOf('apollo/client.ts'));
      const send = async (input: string, init: RequestInit) => {
        const request = new Request(input, init);
        sent.push(request.headers);
        return app.app.fetch(request);
      };
      return { client: open({ fetch: send, key: app.key, possibleTypes }), ...reads };
    };

    beforeAll(async () => {
      expect(await generate()).toMatchObject({ code: 0 });
      app = await createFullApp();
      const seller = await makeSeller(app.db, app.organizationId);
      for (let day = 1; day <= 28; day += 1) {
        await makeInvoice(app.db, seller, { issuingDate: new Date(Date.UTC(2026, 1, day)) });
      }
    });
    afterAll(() => app?.close());

    it('their types compile, under strict scalars', async () => {
      const compiler = fileOf('../../node_modules/typescript/bin/tsc');
      expect(await runNode(new URL('./', import.meta.url), compiler, '-p', 'tsconfig.json')).toEqual({
        code: 0,
        output: '',
      });
    });

    it('pages through invoices, each once and in the order of the list', async () => {
      const { client, readInvoices } = await openClient();
      const { data } = await app.graphql('{ invoices(first: 100) { nodes { number } } }');
      const numbers = data.invoices.nodes.map(({ number }: { number: string }) => number);
      expect(numbers.length).toBeGreaterThan(28);
      const { invoices } = await readInvoices(client, { first: 7 });
      expect(invoices.edges.map(({ node }: { node: { number: string } }) => node.number)).toEqual(numbers);
      expect(new Set(numbers).size).toBe(invoices.totalCount);
      expect(notNormalised(client.cache.extract())).toEqual([]);
    });

    it('keeps lists of other filters and orders apart', async () => {
      const { client, readInvoices } = await openClient();
      const orderBy = { field: 'issuing_date', direction: 'asc' };
      const all = await readInvoices(client, { first: 9 });
      const { invoices } = await readInvoices(client, {
        first: 9,
        filter: { issuingDate: { from: '2026-02-05', to: '2026-02-24' } },
        orderBy,
      });
      const dates = invoices.edges.map(({ node }: { node: { issuingDate: string } }) => node.issuingDate);
      expect(dates).toEqual(Array.from({ length: 20 }, (_, index) => `2026-02-${String(index + 5).padStart(2, '0')}`));
      expect((await readInvoices(client, { first: 9 })).invoices.edges).toEqual(all.invoices.edges);
    });

    it('pages through customers', async () => {
      const { client, readCustomers } = await openClient();
      const { data } = await app.graphql('{ customers(first: 100) { nodes { externalId } } }');
      const externalIds = data.customers.nodes.map(({ externalId }: { externalId: string }) => externalId);
      expect(externalIds.length).toBeGreaterThan(2);
      expect(await readCustomers(client, 2)).toEqual(externalIds);
      expect(notNormalised(client.cache.extract())).toEqual([]);
    });

    it('has no object for itself whose identifier was not asked for', async () => {
      const { client, readWithoutId } = await openClient();
      await readWithoutId(client);
      expect(notNormalised(client.cache.extract())).toEqual(['Invoice']);
    });

    it('shows what a mutation answers where the object was shown before', async () => {
      const { client, raiseMinimum } = await openClient();
      expect(await raiseMinimum(client, 'fuzzed', 'calls', 9_007_199_254_740_993n)).toEqual([
        0n,
        9_007_199_254_740_993n,
      ]);
    });

    it('reads a fragment that a preview shares with invoices', async () => {
      const { client, preview } = await openClient();
      expect(await preview(client, 'fuzzed')).toMatch(/^\d+$/);
    });

    it('sends headers that an allowed page may send', async () => {
      const { client, preview } = await openClient();
      sent.length = 0;
      await preview(client, 'fuzzed');
      const names = [...(sent[0]?.keys() ?? [])];
      expect(names).toEqual(
        expect.arrayContaining([
          'apollographql-client-name',
          'apollographql-client-version',
          'apollo-require-preflight',
        ]),
      );
      const asked = names.join(',');
      const headers = {
        Origin: 'https://app.example.com',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': asked,
      };
      const { app: allowing } = await createTestApp({ db: app.db, corsOrigins: ['https://app.example.com'] });
      const answer = await allowing.fetch(new Request('http://gateway.test/graphql', { method: 'OPTIONS', headers }));
      expect(answer.headers.get('access-control-allow-headers')).toBe(asked);
    });
  },
);
