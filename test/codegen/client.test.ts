import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('./', import.meta.url));
const bin = (name: string) => fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));

async function run(name: string, ...args: string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(bin(name), args, { cwd: folder });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code = 1, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { code, output: stdout + stderr };
  }
}

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
