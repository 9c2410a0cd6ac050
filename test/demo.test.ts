import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES } from '../src/command/examples.ts';
import { schema } from '../src/graphql/schema.ts';
import { cleanUp, freePort, type Running, run, temporaryFolder, untilListening } from './process.ts';

const shell = promisify(execFile);

const examples = EXAMPLES.map((text) => [text.split('\n')[0] ?? '', text] as const);

it.each(examples)('the example is a query of the schema: %s', (_, example) => {
  expect(validate(schema, parse(example)).map(({ message }) => message)).toEqual([]);
});

/** Every list and object of an answer has something in it. */
function emptyPlaces(value: unknown, place: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  const isEmpty = Array.isArray(value) && value.length === 0;
  return [
    ...(isEmpty ? [place] : []),
    ...Object.entries(value).flatMap(([key, inner]) => emptyPlaces(inner, `${place}.${key}`)),
  ];
}

describe('the first start on an empty folder', () => {
  let folder: string;
  let running: Running;
  let address: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    running = run([], { DATA_DIR: folder, PORT: await freePort() });
    address = await untilListening(running);
    while (!running.output().includes('Or in GraphiQL')) await new Promise((done) => setTimeout(done, 20));
  });
  afterAll(async () => {
    running.child.kill('SIGTERM');
    await running.ended;
    await cleanUp();
  });

  const printed = (pattern: RegExp) =>
    running
      .output()
      .split('\n')
      .filter((line) => pattern.test(line));
  const ask = async (query: string, key: string) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${address}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return { status: response.status, body: (await response.json()) as { data?: unknown; errors?: unknown } };
  };

  it('prints the address and both keys, once', () => {
    expect(printed(/listens on/)).toEqual([
      expect.stringMatching(`^The billing gateway listens on ${address} \\([0-9.]+ s after its start\\)$`),
    ]);
    expect(printed(/sk_svc_demo$/)).toHaveLength(1);
    expect(printed(/pk_svc_demo$/)).toHaveLength(1);
  });

  it('prints lines for a shell that answer with data', async () => {
    const lines = printed(/^ {2}curl /);
    expect(lines).toHaveLength(2);
    const answers = await Promise.all(lines.map((line) => shell('sh', ['-c', line.replace('curl', 'curl -sS')])));
    const [rest, graphql] = answers.map(({ stdout }) => JSON.parse(stdout));
    expect(rest.payment_requests.length).toBeGreaterThan(0);
    expect(rest.meta.total_count).toBe(rest.payment_requests.length);
    expect(graphql.errors).toBeUndefined();
    expect(graphql.data.invoices.nodes).toHaveLength(3);
  });

  it('prints a query that answers with data', async () => {
    const [query = ''] = printed(/^ {2}\{/);
    const { body } = await ask(query, 'sk_svc_demo');
    expect(body.errors).toBeUndefined();
    expect(emptyPlaces(body.data, 'data')).toEqual([]);
  });

  it.each(examples)('answers with data: %s', async (_, example) => {
    const { status, body } = await ask(example, 'sk_svc_demo');
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    const [first = ''] = Object.keys(body.data ?? {});
    const data = (body.data as Record<string, unknown>)[first];
    expect(data).not.toBeNull();
    const optional = /credits|filters|graduated|transactions\.nodes/;
    expect(emptyPlaces(data, first).filter((place) => !optional.test(place))).toEqual([]);
  });

  it('shows the demo keys nothing of the second organization', async () => {
    const { body } = await ask('{ plan(code: "ostrelle_basis") { code } }', 'sk_svc_demo');
    expect(body.errors).toMatchObject([{ extensions: { code: 'object_not_found' } }]);
  });

  it('opens plans to the publishable key, and no invoices', async () => {
    const plans = await ask('{ plans { totalCount } }', 'pk_svc_demo');
    expect(plans.body).toMatchObject({ data: { plans: { totalCount: expect.any(Number) } } });
    const { body } = await ask('{ invoices { totalCount } }', 'pk_svc_demo');
    expect(body.errors).toBeDefined();
  });

  it('starts again with the same data', async () => {
    running.child.kill('SIGTERM');
    await running.ended;
    running = run([], { DATA_DIR: folder, PORT: await freePort() });
    address = await untilListening(running);
    const { body } = await ask('{ customers { totalCount } }', 'sk_svc_demo');
    expect(body.data).toEqual({ customers: { totalCount: 60 } });
  });
});
