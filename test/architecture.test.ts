import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
  .map((name) => ({ name, text: readFileSync(join(root, 'src', name), 'utf8') }));

const NODE = /^node:/;
const MAY: Record<string, { own: RegExp; foreign: RegExp }> = {
  billing: { own: /^billing\//, foreign: /^(decimal\.js|temporal-polyfill)$/ },
  pdf: { own: /^(pdf|billing)\//, foreign: /^(pdfkit|fontkit|bidi-js|linebreak|node:(?!http|net).*)$/ },
  store: {
    own: /^(store|billing)\//,
    foreign:
      /^(@prisma\/.*|pg|@electric-sql\/pglite.*|pglite-prisma-adapter|dataloader|lossless-json|decimal\.js|ioredis|rate-limiter-flexible|node:.*)$/,
  },
  graphql: {
    own: /^(graphql|billing|store|pdf)\//,
    foreign: /^(@pothos\/.*|graphql|dataloader|decimal\.js|node:crypto)$/,
  },
  rest: { own: /^rest\//, foreign: /^graphql$/ },
  http: {
    own: /^(http\/|graphql\/context\.ts|rest\/route\.ts|billing\/errors\.ts)/,
    foreign:
      /^(graphql|graphql-yoga|@graphql-yoga\/.*|@whatwg-node\/fetch|pino|prom-client|@opentelemetry\/api|node:.*)$/,
  },
};

const importsOf = (text: string) =>
  [...text.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (m) => m[1] ?? m[2] ?? '',
  );

it.each(Object.entries(MAY))('%s imports what it may', (folder, { own, foreign }) => {
  const wrong = files
    .filter(({ name }) => name.startsWith(`${folder}/`))
    .flatMap(({ name, text }) => importsOf(text).map((path) => ({ name, path })))
    .filter(({ name, path }) => {
      if (!path.startsWith('.')) return !foreign.test(path);
      return !own.test(relative('.', join(dirname(name), path)));
    });
  expect(wrong).toEqual([]);
});

it('rules read no clock and no environment, and are synchronous', () => {
  const impure = /\bDate\.now\(|\bnew Date\(\)|\bprocess\.|\basync\b|\bawait\b|\bPromise\b|Math\.random/;
  const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const rules = files.filter(({ name }) => name.startsWith('billing/'));
  expect(rules.filter(({ text }) => impure.test(code(text))).map(({ name }) => name)).toEqual([]);
});

it('files are small', () => {
  // An endpoint is a document; what is no endpoint in that folder has the room of other files.
  const endpoint = /^rest\/(?!document|fragment|index|openapi|route)/;
  const most = (name: string) => (endpoint.test(name) ? 50 : 200);
  const large = files
    .filter(({ name }) => !/fragment/.test(name))
    .map(({ name, text }) => ({ name, lines: text.split('\n').length - 1 }));
  expect(large.filter(({ name, lines }) => lines > most(name))).toEqual([]);
});

it('nothing is exported without a name', () => {
  expect(files.filter(({ text }) => /^export default/m.test(text)).map(({ name }) => name)).toEqual([]);
});

it('only the configuration reads the environment', () => {
  const readers = files.filter(({ text }) => /process\.env/.test(text)).map(({ name }) => name);
  expect(readers.filter((name) => name !== 'main.ts')).toEqual([]);
});

it('node modules are named with their scheme', () => {
  const bare = /^(fs|path|crypto|http|url|zlib|util|os|cluster|net)(\/|$)/;
  const wrong = files.flatMap(({ name, text }) =>
    importsOf(text)
      .filter((path) => !NODE.test(path) && bare.test(path))
      .map(() => name),
  );
  expect(wrong).toEqual([]);
});

it("a customer's time zone is decided in one place", () => {
  const rule = 'billing/subscription/billed-subscription.ts';
  // Nothing stands for no zone but the entity's, or the rule's own last resort.
  const deciding = /\btimezone\b[^;,{}]*?(\?\?|\|\|) (?!null|'UTC')/g;
  const seed = readdirSync(join(root, 'prisma/seed'), { encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name: `seed/${name}`, text: readFileSync(join(root, 'prisma/seed', name), 'utf8') }));
  const others = [...files, ...seed].filter(({ name }) => name !== rule);
  const found = others.flatMap(({ name, text }) => [...text.matchAll(deciding)].map(([part]) => `${name}: ${part}`));
  expect(found).toEqual([]);
});
