// Makes the Prisma client in src/store/generated, when the schema or the generators are other than those it was made from.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../src/store/generated/', import.meta.url));
const mark = `${folder}made-from`;
const require = createRequire(import.meta.url);
const ours = (name) => readFileSync(new URL(name, import.meta.url));
const { dependencies, devDependencies } = JSON.parse(ours('../package.json'));
const versions = ['prisma', '@prisma/client', '@pothos/plugin-prisma'].map((name) => ({ ...dependencies, ...devDependencies })[name]);

const madeFrom = [
  ...['schema.prisma', 'prisma.config.ts'].map(ours),
  JSON.stringify(versions),
].reduce((hash, text) => hash.update(text).update('\0'), createHash('sha256'));
const wanted = madeFrom.digest('hex');

function known() {
  try {
    return readFileSync(mark, 'utf8');
  } catch {
    return null;
  }
}

if (known() !== wanted) {
  rmSync(mark, { force: true }); // what is half made has no mark
  const cli = require.resolve('prisma/build/index.js');
  const config = fileURLToPath(new URL('prisma.config.ts', import.meta.url));
  // The generators are commands of packages; npm would know where they are.
  const PATH = `${fileURLToPath(new URL('../node_modules/.bin', import.meta.url))}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH };
  const { status } = spawnSync(process.execPath, [cli, 'generate', '--config', config], { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(folder, { recursive: true });
  writeFileSync(mark, wanted);
}
