import { TAX } from '../../billing/resource/tax.ts';
import { detachTax } from '../../store/catalogue/tax-link.ts';
import { UNIQUE_TAX_CODE } from '../../store/database/unique.ts';
import { applyByDefault } from '../resource/by-default.ts';
import type { Stored } from '../resource/stored.ts';

/** Taxes. What a deleted one was applied to has it no longer; issued documents keep their copies. */
export const TAXES: Stored<typeof TAX.fields> = {
  resource: TAX,
  model: 'Tax',
  unique: UNIQUE_TAX_CODE,
  saved: async (tx, _actor, { id, sent }) => {
    await applyByDefault(tx, 'Tax', id, sent.appliedToOrganization);
    return {};
  },
  deleted: async (tx, _actor, { id }) => {
    await detachTax(tx, id);
    return {};
  },
  drafts: ({ id }) => ({ taxes: [id] }),
};
