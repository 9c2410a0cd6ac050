// npm run schema:check -- BASE: what would break clients of the schema of a commit, a branch or a tag. Those breaks that
// are stated in test/graphql/breaking.json are let through.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { unstatedBreaks } from './schema-change.ts';

const root = new URL('../../', import.meta.url);
const [base = 'HEAD'] = process.argv.slice(2);
const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
const before = execFileSync('git', ['show', '--end-of-options', `${base}:schema.graphql`], options);
const after = readFileSync(new URL('schema.graphql', root), 'utf8');
const stated = JSON.parse(readFileSync(new URL('./breaking.json', import.meta.url), 'utf8'));

const breaks = unstatedBreaks(before, after, stated);
for (const description of breaks) console.error(description);
console.log(`${breaks.length} changes since ${base} break clients and are not stated`);
process.exitCode = breaks.length > 0 ? 1 : 0;
