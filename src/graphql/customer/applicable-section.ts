import { getRefFromModel } from '@pothos/plugin-prisma';
import { applicableSections as applicable } from '../../billing/customer/custom-section.ts';
import { BY_CODE } from '../../store/database/row-order.ts';
import { builder } from '../base/builder.ts';
import { type Selecting, selectedField } from '../base/column.ts';
import { derivesFrom } from '../base/guard.ts';

/** Custom sections that are not deleted, by their codes. */
export const SECTION_ORDER = { where: { deletedAt: null }, orderBy: BY_CODE };

interface Sections {
  readonly selectedInvoiceCustomSections: readonly object[];
}

/** The custom sections of a customer's invoices, by one statement with the customer. */
export const applicableSections = (t: Selecting) =>
  selectedField(t, {
    type: [getRefFromModel('InvoiceCustomSection', builder)],
    description:
      "Custom sections that are printed on the customer's invoices: its own, else the billing entity's; none where they are left out.",
    ...derivesFrom('billing_entity'),
    select: (_args, _context, nested) => ({
      skipInvoiceCustomSections: true,
      selectedInvoiceCustomSections: nested(SECTION_ORDER),
      billingEntity: { select: { selectedInvoiceCustomSections: nested(SECTION_ORDER) } },
    }),
    resolve: (row) => {
      const sections = row.selectedInvoiceCustomSections as readonly object[];
      const ofEntity = (row.billingEntity as Sections).selectedInvoiceCustomSections;
      return applicable({ skips: row.skipInvoiceCustomSections === true, sections }, ofEntity);
    },
  });
