import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { getNullableType, isListType, isNonNullType, isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { unheldResolve } from '../../../src/graphql/base/held-list.ts';
import { schema } from '../../../src/graphql/schema.ts';

function runWith(...args: string[]): Promise<{ code: number | null; text: string }> {
  const script = resolve(import.meta.dirname, 'late-rejection.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { stdio: 'pipe' });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  return new Promise((done) => child.on('close', (code) => done({ code, text })));
}

const QUERIES = ['{ items { name } }', '{ grid { name } }'];

it('a value of a list that fails after another has failed at once does not end the process', async () => {
  for (const query of QUERIES) {
    const { code, text } = await runWith('held', query);
    expect([code, text.trim()]).toEqual([0, expect.stringMatching(/^answered: /)]);
  }
  // What the executor does with lists as they are: when it mends this, the promises are needed no more.
  expect(await runWith('plain', QUERIES[0] ?? '')).toMatchObject({ code: 1, text: expect.stringContaining('late') });
}, 30_000);

it('every list of the schema is held, and compiled queries read it as it is', () => {
  let lists = 0;
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const shown = getNullableType(field.type);
      if (!isListType(shown) || !isNonNullType(shown.ofType)) continue;
      lists += 1;
      expect([`${type.name}.${field.name}`, unheldResolve(field) === field.resolve]).toEqual([
        `${type.name}.${field.name}`,
        false,
      ]);
    }
  }
  expect(lists).toBeGreaterThan(50);
});
