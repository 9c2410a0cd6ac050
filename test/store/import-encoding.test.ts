import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { ImportError, importFile } from '../../src/store/transfer/import/import.ts';
import { openTestDatabase } from '../support.ts';

let db: Database;
let folder: string;
beforeAll(async () => {
  db = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'encoding-'));
});
afterAll(async () => db.close());

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const lines = (newline: string) =>
  ['a', 'b'].map((id) => `{"customer": {"external_id": "${id}", "name": "Zoë"}}`).join(newline);
const document = '{\n"customers": [{"external_id": "a", "name": "Zoë"}, {"external_id": "b", "name": "Zoë"}]\n}';

async function load(organization: string, name: string, bytes: Buffer): Promise<string[]> {
  const path = join(folder, `${organization} ${name}`);
  await writeFile(path, bytes);
  await importFile(db, path, { organization, now: new Date('2026-05-01T00:00:00Z') });
  const rows = await db.prisma.customer.findMany({ where: { organization: { name: organization } } });
  return rows.map((row) => row.name ?? '');
}

describe('GB-115: the bytes of an import', () => {
  it.each([
    ['a document with a byte order mark', 'a.json', Buffer.concat([MARK, Buffer.from(document)])],
    ['lines with a byte order mark', 'b.ndjson', Buffer.concat([MARK, Buffer.from(lines('\n'))])],
    ['lines with a byte order mark and no name for them', 'b.txt', Buffer.concat([MARK, Buffer.from(lines('\n'))])],
    ['lines ending in CRLF, the last one in nothing', 'c.ndjson', Buffer.from(lines('\r\n'))],
  ])('%s are read', async (title, name, bytes) => {
    expect(await load(title, name, bytes)).toEqual(['Zoë', 'Zoë']);
  });

  it.each([
    ['a document in Latin-1', 'd.json', document],
    ['lines in Latin-1', 'd.ndjson', `{"customer": {"external_id": "first"}}\n${lines('\n')}`],
  ])('%s is refused with its lines, and nothing is stored', async (title, name, text) => {
    const error = await load(title, name, Buffer.from(text, 'latin1')).catch((caught: unknown) => caught);
    const wrong = name === 'd.json' ? ['line 2'] : ['line 2', 'line 3'];
    expect(error instanceof ImportError && error.faults).toEqual(
      wrong.map((place) => ({ place, codes: ['is_not_utf8'] })),
    );
    expect(await db.prisma.organization.count({ where: { name: title } })).toBe(0);
  });
});
