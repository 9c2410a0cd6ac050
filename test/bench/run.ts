/** `npm run bench -- NAME` runs the benchmark test/bench/NAME.ts; without a name it lists them. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./', import.meta.url));
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== 'run.ts')
  .map((name) => name.slice(0, -'.ts'.length));
const name = process.argv[2];

if (name !== undefined && names.includes(name)) {
  const benchmark: { run(args: readonly string[]): void | Promise<void> } = await import(`./${name}.ts`);
  await benchmark.run(process.argv.slice(3));
} else {
  console.log(`usage: npm run bench -- ${names.join(' | ')}`);
  process.exitCode = name === undefined ? 0 : 1;
}
