import { Writable } from 'node:stream';
import { expect } from 'vitest';
import type { Database } from '../src/store/database/database.ts';
import { exportTo } from '../src/store/transfer/export/export.ts';
import { importDocument } from '../src/store/transfer/import/import.ts';
import { parseJson } from '../src/store/transfer/value/json.ts';
import { openTestDatabase, type TestApp } from './support.ts';

async function exported(db: Database, organization: string): Promise<string> {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  await exportTo(db, stream, { organization });
  return chunks.join('');
}

/** What an organization has, exported, imported into an empty database and exported again: the same bytes. Says what they are. */
export async function exportedTwice({ db, organizationId }: TestApp): Promise<string> {
  const { name } = await db.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
  const first = await exported(db, name);
  const other = await openTestDatabase();
  try {
    await importDocument(other, parseJson(first), { organization: name, now: new Date('2027-01-01T00:00:00Z') });
    expect(await exported(other, name)).toBe(first);
  } finally {
    await other.close();
  }
  return first;
}
