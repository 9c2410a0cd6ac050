import { writeFileSync } from 'node:fs';
import { firstOrganization } from './seed/organization.ts';
import { secondOrganization } from './seed/second.ts';
import { documentText } from './seed/text.ts';

/** Writes the demo: two organizations, 24 months of usage billed by the rules. The same bytes on every run. */
const text = documentText([firstOrganization(), secondOrganization()]);
writeFileSync(process.argv[2] ?? new URL('./demo.json', import.meta.url), text);
