import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Whether the tests with the clients of test/client/package.json are skipped: only where `npm test` could not install
 * them, never in CI.
 */
export const areMissing =
  !process.env.CI && !existsSync(new URL('node_modules/relay-compiler/package.json', import.meta.url));

/** Runs a script of the clients' packages, or of the project's, in a folder. */
export async function runNode(folder: URL, ...args: string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: fileURLToPath(folder) });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code = 1, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { code, output: stdout + stderr };
  }
}

export const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
