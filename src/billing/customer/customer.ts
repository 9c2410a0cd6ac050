import type { TaxInput } from '../catalogue/tax.ts';

/** Which end of the billed period dates the document. */
export type DateAnchor = 'current_period_end' | 'next_period_start';

/** Whether the days of grace move the issuing date. */
export type DateAdjustment = 'keep_anchor' | 'align_with_finalization_date';

/** Null in a customer's setting: inherit the entity's. Missing everywhere: 0, and the two defaults of the dates. */
export interface DocumentSettings {
  readonly invoiceGracePeriod?: number | null;
  readonly netPaymentTerm?: number | null;
  readonly issuingDateAnchor?: DateAnchor | null;
  readonly issuingDateAdjustment?: DateAdjustment | null;
}

export interface CustomerInput extends DocumentSettings {
  readonly id: string;
  readonly externalId: string;
  readonly stored: boolean;
  readonly currency?: string | null;
  readonly timezone?: string | null;
  readonly finalizeZeroAmountInvoice: 'inherit' | 'finalize' | 'skip';
  readonly taxes: readonly TaxInput[];
  /** A partner's invoices are self-billed. */
  readonly partner?: boolean;
  readonly sequentialId?: number | null;
  /** Whether its taxes are not known: the check of its VAT number has not been answered. Its invoices wait. */
  readonly awaitsTaxes?: boolean;
}

export interface BillingEntityInput extends DocumentSettings {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly timezone?: string | null;
  readonly finalizeZeroAmountInvoice: boolean;
  readonly taxes: readonly TaxInput[];
  readonly documentNumbering: 'per_customer' | 'per_billing_entity';
  readonly documentNumberPrefix: string;
}
