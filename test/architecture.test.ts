import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
  .map((name) => ({ name, text: readFileSync(join(root, 'src', name), 'utf8') }));

const NODE = /^node:/;
const MAY: Record<string, { own: RegExp; foreign: RegExp }> = {
  billing: { own: /^billing\//, foreign: /^(decimal\.js|temporal-polyfill|ibantools)$/ },
  thread: { own: /^thread\//, foreign: NODE },
  pdf: { own: /^(pdf|billing|thread)\//, foreign: /^(pdfkit|fontkit|bidi-js|linebreak|uqr|node:(?!http|net).*)$/ },
  store: {
    own: /^(store|billing)\/|^pdf\/(invoice|credit-note)-document\.ts$/,
    foreign:
      /^(@prisma\/.*|pg|@clickhouse\/client|@nats-io\/.*|zod|@electric-sql\/pglite.*|pglite-prisma-adapter|dataloader|lossless-json|decimal\.js|ioredis|rate-limiter-flexible|node:.*)$/,
  },
  engine: { own: /^(engine|store|billing)\//, foreign: /^(decimal\.js|node:crypto)$/ },
  jobs: { own: /^(jobs|engine|store)\//, foreign: /^(pg-boss|node:.*)$/ },
  graphql: {
    own: /^(graphql|engine|billing|store|pdf|thread)\//,
    foreign: /^(@pothos\/.*|graphql|dataloader|decimal\.js|node:(crypto|os|timers\/promises))$/,
  },
  rest: { own: /^rest\/|^billing\/name-case\.ts$/, foreign: /^graphql$/ },
  http: {
    own: /^(http\/|graphql\/context\.ts|rest\/route\.ts|billing\/(errors|name-case)\.ts)/,
    foreign:
      /^(graphql|graphql-yoga|@graphql-yoga\/.*|@whatwg-node\/fetch|ipaddr\.js|pino|prom-client|@opentelemetry\/api|node:.*)$/,
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

// What a layer is made of, as folders; files beside folders belong to none.
const imports = files.flatMap(({ name, text }) =>
  importsOf(text)
    .filter((path) => path.startsWith('.'))
    .map((path) => ({ from: name, to: relative('.', join(dirname(name), path)) })),
);

/** The two folders in which the ways to two files part, when both are folders. */
function parting(from: string, to: string): [string, string] | null {
  const [a, b] = [from.split('/'), to.split('/')];
  let depth = 0;
  while (a[depth] === b[depth] && depth < a.length) depth++;
  const areFolders = depth < a.length - 1 && depth < b.length - 1;
  return areFolders ? [a.slice(0, depth + 1).join('/'), b.slice(0, depth + 1).join('/')] : null;
}

/** Groups of places that lead to each other. */
function circles(edges: readonly (readonly [string, string])[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reach = (start: string) => {
    const seen = new Set<string>();
    const open = [start];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      for (const one of next.get(place) ?? []) {
        if (!seen.has(one)) open.push(one);
        seen.add(one);
      }
    }
    return seen;
  };
  const reached = new Map([...next.keys()].map((place) => [place, reach(place)]));
  const inCircle = [...reached].filter(([place, seen]) => seen.has(place));
  const groups = inCircle.map(([place, seen]) =>
    [place, ...[...seen].filter((one) => one !== place && reached.get(one)?.has(place))].sort(),
  );
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

it('no folders import each other, over however many others', () => {
  const edges = imports.flatMap(({ from, to }) => {
    const parted = parting(from, to);
    return parted ? [parted] : [];
  });
  expect(circles(edges)).toEqual([]);
});

it('no files import each other, over however many others', () => {
  expect(circles(imports.map(({ from, to }) => [from, to] as const))).toEqual([]);
});

// From the bottom: a folder imports only from those before it.
const RULES =
  'money period usage catalogue price aggregate vat customer resource fee invoice subscription report preview timeline verify'.split(
    ' ',
  );

it('the folders of the rules stand upon each other in their order', () => {
  const rank = (name: string) => RULES.indexOf(name.split('/')[1] ?? '');
  const own = (name: string) => /^billing\/.+\//.test(name);
  const unknown = files.filter(({ name }) => own(name) && rank(name) < 0).map(({ name }) => name);
  expect(unknown).toEqual([]);
  expect(imports.filter(({ from, to }) => own(from) && own(to) && rank(to) > rank(from))).toEqual([]);
});

it('the start loads nothing that only some requests or commands need', () => {
  const texts = new Map(files.map(({ name, text }) => [name, text]));
  const loaded = new Set(['main.ts', 'app.ts', 'protection.ts', 'observability.ts']);
  for (const name of loaded) {
    const text = texts.get(name) ?? '';
    for (const [, path = ''] of text.matchAll(/^(?:import|export) (?!type )(?:[^'"]*?\sfrom\s)?'([^']+)'/gm)) {
      loaded.add(path.startsWith('.') ? relative('.', join(dirname(name), path)) : path);
    }
  }
  // Nine megabytes, a compiler of schemas, clients of what most do not have, fonts.
  const LATE =
    /^(@graphql-yoga\/render-graphiql|@prisma\/schema-engine-wasm|@clickhouse\/client|@nats-io|ioredis|pdfkit|fontkit)/;
  expect([...loaded].filter((name) => LATE.test(name))).toEqual([]);
  expect(loaded.size).toBeGreaterThan(300);
});

it('folders hold few files', () => {
  const folders = new Map<string, number>();
  for (const { name } of files) folders.set(dirname(name), (folders.get(dirname(name)) ?? 0) + 1);
  expect([...folders].filter(([, count]) => count > 22)).toEqual([]);
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

it('types are cast away only where a library leaves a hole in its own', () => {
  const cast = /\bas never\b|\bas unknown as\b|\bas any\b/g;
  // Comments may use the words.
  const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const counts = files.map(({ name, text }) => [name, code(text).match(cast)?.length ?? 0] as const);
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual({
    'pdf/sheet.ts': 2, // no font, and an open one
    'pdf/text/direction.ts': 1, // the types of another build
    'pdf/text/text-layer.ts': 1, // an embedded font
    'store/database/model.ts': 1, // what Prisma's client knows at run time
    'store/database/schema-engine.ts': 1, // a module without types
  });
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

it.each(['src/README.md', 'src/billing/README.md', 'README.md'])('%s names files that are there', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|json|prisma|graphql))`/g)].map(
    ([, path = '']) => path,
  );
  const places = ['', 'src', dirname(page)];
  expect(named.filter((path) => !places.some((place) => existsSync(join(root, place, path))))).toEqual([]);
  if (page === 'src/README.md') expect(named.length).toBeGreaterThan(20);
});
