import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { fileOf, runNode } from '../peer.ts';

const here = new URL('./', import.meta.url);
const run = (name: string, ...args: string[]) => runNode(here, fileOf(`../../node_modules/.bin/${name}`), ...args);

beforeAll(async () => {
  expect(await run('gql.tada', 'generate-output', '--tsconfig', './tsconfig.json')).toMatchObject({ code: 0 });
});

it('a client whose types come from schema.graphql compiles', async () => {
  expect(await run('tsc', '-p', 'tsconfig.json')).toEqual({ code: 0, output: '' });
});

it.each([
  ['a type', '+ BigInt(totalAmountCents)', '+ totalAmountCents'],
  ['an enum value', "status === 'voided'", "status === 'void'"],
  ['a variable', "externalId: 'cus_belzona'", 'externalId: 7'],
])('one that is wrong about %s does not', async (_, right, wrong) => {
  const text = await readFile(new URL('./client.ts', import.meta.url), 'utf8');
  expect(text).toContain(right);
  const file = new URL(`generated/wrong-${right.length}.ts`, import.meta.url);
  const config = new URL(`generated/tsconfig-${right.length}.json`, import.meta.url);
  const moved = text.replace(right, wrong).replace('./generated/graphql-env', './graphql-env');
  await writeFile(file, moved);
  const settings = { extends: '../tsconfig.json', include: [fileURLToPath(file)], exclude: [] };
  await writeFile(config, JSON.stringify(settings));
  const { code, output } = await run('tsc', '-p', fileURLToPath(config));
  await rm(file);
  await rm(config);
  expect(code).not.toBe(0);
  expect(output).toMatch(/wrong-\d+\.ts\(\d+,\d+\): error TS2/);
});
