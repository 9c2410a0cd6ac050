import { INVOICE_CUSTOM_SECTION } from '../../billing/resource/invoice-custom-section.ts';
import { detachSection } from '../../store/customer/section-link.ts';
import { UNIQUE_SECTION_CODE } from '../../store/database/unique.ts';
import { applyByDefault } from '../resource/by-default.ts';
import type { Stored } from '../resource/stored.ts';

/** Custom sections. What a deleted one was printed by has it no longer; issued documents keep their copies. */
export const INVOICE_CUSTOM_SECTIONS: Stored<typeof INVOICE_CUSTOM_SECTION.fields> = {
  resource: INVOICE_CUSTOM_SECTION,
  model: 'InvoiceCustomSection',
  unique: UNIQUE_SECTION_CODE,
  saved: async (tx, _actor, { id, sent }) => {
    await applyByDefault(tx, 'InvoiceCustomSection', id, sent.appliedToOrganization);
    return {};
  },
  deleted: async (tx, _actor, { id }) => {
    await detachSection(tx, id);
    return {};
  },
};
