import { snakeCase } from '../../../billing/name-case.ts';
import type { Fields, Values } from '../../../billing/resource/field.ts';
import type { Resource } from '../../../billing/resource/resource.ts';
import type { Draft } from '../document/draft.ts';
import type { Importing } from '../document/importing.ts';

/** Holds new objects against what must go together in a resource; deleted ones are what they were. */
export function checkTogether<F extends Fields>({ fields, check }: Resource<F>, drafts: Draft[], importer: Importing) {
  for (const { row, place } of drafts.filter((draft) => draft.row.deleted_at == null)) {
    const members = Object.keys(fields).map((name) => [name, row[snakeCase(name)] ?? null]);
    const { details = {} } = check(Object.fromEntries(members) as Values<F>) ?? {};
    for (const [field, codes] of Object.entries(details)) {
      for (const code of codes) importer.faults.add(`${place}.${field}`, code);
    }
  }
}
