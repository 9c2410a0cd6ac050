import { ConfigError } from '../config.ts';
import { DatabaseUrlError } from '../store/database/database.ts';
import { DataDirectoryError } from '../store/database/embedded/embedded.ts';
import { MigrationError } from '../store/database/migration.ts';
import { ImportError } from '../store/transfer/import/import.ts';
import { EventPlaceError } from './event-places.ts';
import { CommandError } from './keys.ts';
import { ListenError } from './serve.ts';

const EXPECTED = [
  ConfigError,
  CommandError,
  DataDirectoryError,
  DatabaseUrlError,
  EventPlaceError,
  MigrationError,
  ImportError,
  ListenError,
];

// Prisma's messages end with the reason, the schema engine's with where in itself it failed.
const isTrace = (line: string) => line.trim() === '' || /^\s+(\d+: |at |with )/.test(line);

/** One clear line an error; the stack only for those who ask for it. */
export function report(error: unknown, logLevel: string): void {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  const message = error instanceof Error ? error.message : String(error);
  const lines = isExpected
    ? message.split('\n')
    : [
        message
          .split('\n')
          .filter((line) => !isTrace(line))
          .at(-1),
      ];
  for (const line of lines) console.error(`billing-gateway: ${line}`);
  if (!isExpected && /debug|trace/.test(logLevel)) console.error(error);
  process.exitCode = 1;
}
