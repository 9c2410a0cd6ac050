import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { Database } from '../store/database/database.ts';
import { exportTo } from '../store/transfer/export/export.ts';
import { importFile } from '../store/transfer/import/import.ts';
import type { WithDatabase } from './keys.ts';

const PROGRESS_STEP = 10_000;

function progress(): (done: number, total?: number) => void {
  let next = PROGRESS_STEP;
  return (done, total) => {
    if (done < next) return;
    next = done + PROGRESS_STEP;
    console.error(`${done}${total === undefined ? '' : ` of ${total}`} read`);
  };
}

const rowsOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);

async function importHere(db: Database, file: string, organization?: string): Promise<void> {
  const result = await importFile(db, file, { organization, now: new Date(), onProgress: progress() });
  const { created, updated, unchanged } = result;
  const counts = `${rowsOf(created)} rows created, ${rowsOf(updated)} updated, ${unchanged} unchanged`;
  console.log(`${result.organization}: ${counts}.`);
}

type Format = 'json' | 'ndjson';

// Written beside its place and moved there when whole: a file of this name is never half an export.
async function exportHere(db: Database, file: string, organization?: string, format?: Format): Promise<void> {
  if (file === '-') return exportTo(db, process.stdout, { organization, format });
  const unfinished = `${file}.unfinished`;
  const stream = createWriteStream(unfinished);
  try {
    const failed = new Promise<never>((_, reject) => stream.once('error', reject));
    await Promise.race([exportTo(db, stream, { organization, format }), failed]);
    await Promise.race([new Promise<void>((resolve) => stream.end(() => resolve())), failed]);
    await rename(unfinished, file);
  } catch (error) {
    stream.destroy();
    await rm(unfinished, { force: true });
    throw error;
  }
  console.log(`${file} is written.`);
}

/** `import` and `export`. */
export function addDataCommands(program: Command, withDatabase: WithDatabase): void {
  program
    .command('import')
    .description('import a JSON document, or one resource a line, whole or not at all')
    .argument('<file>')
    .option('--organization <name>', 'whose data it is; made when missing')
    .action((file: string, { organization }: { organization?: string }) =>
      withDatabase((db) => importHere(db, file, organization)),
    );
  program
    .command('export')
    .description('export everything, or one organization')
    .argument('<file>', '- for standard output')
    .option('--organization <name>', 'whose data; all when absent')
    .addOption(new Option('--format <format>', 'one document, or one resource a line').choices(['json', 'ndjson']))
    .action((file: string, { organization, format }: { organization?: string; format?: Format }) =>
      withDatabase((db) => exportHere(db, file, organization, format)),
    );
}
