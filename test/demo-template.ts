import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, vi } from 'vitest';
import type { Database } from '../src/store/database/database.ts';
import { importDocument } from '../src/store/transfer/import/import.ts';
import { parseJson } from '../src/store/transfer/value/json.ts';

/** The moment at which the demo is imported. */
const IMPORTED = new Date('2026-11-27T12:00:00Z');

export async function importDemo(db: Database): Promise<void> {
  const text = await readFile(new URL('../prisma/demo.json', import.meta.url), 'utf8');
  await importDocument(db, parseJson(text), { now: IMPORTED });
}

/** What one process of a run makes of the demo and all use: the others wait for it. Not kept for the next run, whose import may be another. */
export async function demoOnce(make: () => Promise<string | Uint8Array>): Promise<string> {
  const file = join(inject('runFolder'), 'demo');
  const isFirst = await mkdir(`${file}.lock`).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await writeFile(`${file}.part`, await make());
    await rename(`${file}.part`, file);
  } else await vi.waitFor(() => stat(file), { timeout: 100_000, interval: 100 });
  return file;
}
