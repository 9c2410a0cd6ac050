import { writeFile } from 'node:fs/promises';
import { schemaText } from '../../src/graphql/schema.ts';

// `npm run schema`: the committed text of the schema, which front ends generate their types from.
await writeFile(new URL('../../schema.graphql', import.meta.url), schemaText());
