import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url);

/** The lines that a process has written to stderr as JSON when it logs twice and ends so. */
function linesOf(end: string): { readonly msg: string; readonly key?: string }[] {
  const script = `import { createLogger } from './src/log.ts';
    const logger = createLogger('info');
    logger.info({ key: 'sk_svc_secret' }, 'one');
    logger.warn('two');
    ${end}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  const { stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line));
}

it.each([
  ['by itself', ''],
  ['by an error that nobody catches', "throw new Error('gone')"],
  ['by a promise that nobody catches', "await Promise.reject(new Error('gone'))"],
  ['at once', 'process.exit(3)'],
])('every line is written, in its order and without keys, when a process ends %s', (_name, end) => {
  const lines = linesOf(end);
  expect(lines.map(({ msg }) => msg)).toEqual(['one', 'two']);
  expect(lines[0]?.key).toBe('[Redacted]');
});
