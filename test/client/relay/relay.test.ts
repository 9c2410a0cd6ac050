import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areMissing, fileOf, runNode } from '../peer.ts';

const PARTS = {
  'schema.graphql': '../../schema.graphql',
  'relay.config.json': 'relay/relay.config.json',
  'src/page.ts': 'relay/src/page.ts',
};
type Part = keyof typeof PARTS;

// Of the edges of the list of invoices.
const CURSOR = 'cursor: String!\n\n  """The object."""\n  node: Invoice!';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** Compiles the app, with something else in the place of something where that is wanted. */
async function compile(part?: Part, right = '', wrong = '') {
  const folder = await mkdtemp(join(tmpdir(), 'relay-'));
  folders.push(folder);
  await mkdir(join(folder, 'src'));
  await mkdir(join(folder, 'generated'));
  for (const [name, path] of Object.entries(PARTS)) {
    const text = await readFile(fileOf(path), 'utf8');
    if (name === part) expect(text).toContain(right);
    await writeFile(join(folder, name), name === part ? text.replace(right, wrong) : text);
  }
  const compiler = fileOf('node_modules/relay-compiler/cli.js');
  return { folder, ...(await runNode(pathToFileURL(`${folder}/`), compiler, 'relay.config.json')) };
}

describe.skipIf(areMissing)('relay-compiler, where `npm ci --prefix test/client` has installed it', () => {
  let artifacts = new Map<string, string>();
  let compiled = { folder: '', code: 1, output: '' };
  beforeAll(async () => {
    compiled = await compile();
    const folder = join(compiled.folder, 'generated');
    const names = await readdir(folder);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    artifacts = new Map(names.map((name, index) => [name.replace('.graphql.ts', ''), texts[index] ?? '']));
  });

  it('takes lists, nodes, what previews share with invoices, and mutations, without a word against them', () => {
    expect(compiled).toMatchObject({ code: 0 });
    expect(compiled.output).not.toMatch(/warn|error|deprecat/i);
    expect([...artifacts.keys()]).toEqual(
      expect.arrayContaining(['pageListQuery', 'pageOfCustomerQuery', 'pageInvoiceQuery', 'pageUpdateChargeMutation']),
    );
  });

  it('refetches what is below an object by its node', () => {
    const [, ...lines] = artifacts.get('pageOfCustomerQuery')?.split('node(id: $id)') ?? [];
    expect(lines.join('')).toContain('...page_ofCustomer');
    expect(artifacts.get('page_ofCustomer')).toContain('"identifierField": "id"');
  });

  it('types every scalar', () => {
    expect(artifacts.get('page_amounts')).toMatch(/createdAt: string;.*issuingDate: string;.*taxesRate: string;/s);
    expect(artifacts.get('page_amounts')).toContain('totalAmountCents: string;');
    expect(artifacts.get('page_invoice')).toMatch(/amountCents: string;.*units: string;.*svcId: string;/s);
    expect([...artifacts.values()].filter((text) => /: any\b/.test(text))).toEqual([]);
  });

  it.each<[string, Part, string, string, RegExp]>([
    ['a scalar without a type', 'relay.config.json', '"BigInt": "string",', '', /BigInt/],
    [
      'a connection whose edges have no cursor',
      'schema.graphql',
      CURSOR,
      'place: String!\n\n  """The object."""\n  node: Invoice!',
      /cursor/,
    ],
    [
      'a refetch of what has no identifier',
      'src/page.ts',
      'page_amounts on AnyInvoice',
      'page_amounts on AnyInvoice @refetchable(queryName: "pageAmountsQuery")',
      /refetchable/,
    ],
    [
      'a connection that is asked for no node',
      'src/page.ts',
      'edges {\n        node {',
      'edges {\n        other {',
      /other/,
    ],
    [
      'a list that is no connection',
      'src/page.ts',
      'allFees {\n      id',
      'allFees @connection(key: "page_fees") {\n      id',
      /connection/,
    ],
    ['a fragment on an object of another type', 'src/page.ts', ' @alias(as: "invoice")', '', /@alias/],
  ])('refuses %s', async (_, part, right, wrong, said) => {
    const { code, output } = await compile(part, right, wrong);
    expect(code).not.toBe(0);
    expect(output).toMatch(said);
  });
});
