import type { Actor } from '../access/audit.ts';
import type { TenantTransaction } from '../database/tenant.ts';

/** What drafts may be made of, by identifiers. */
export interface DraftsOf {
  /** Plans of the subscriptions that they bill. */
  readonly plans?: readonly string[];
  /** Prices of such plans. */
  readonly charges?: readonly string[];
  readonly fixedCharges?: readonly string[];
  /** Taxes, on whatever they apply. */
  readonly taxes?: readonly string[];
  /** Billing entities whose own taxes apply. */
  readonly billingEntities?: readonly string[];
  readonly customers?: readonly string[];
}

/**
 * Marks drafts of subscriptions as to be computed anew, in one statement; says which were not marked before. A tax is one of a draft that
 * shows it, or that will: by its customer, or by its entity where the customer has no tax of its own.
 */
export async function flagDrafts(tx: TenantTransaction, { organizationId, now }: Actor, of: DraftsOf) {
  const { plans = [], charges = [], fixedCharges = [], taxes = [], billingEntities = [], customers = [] } = of;
  if (Object.values(of).every((ids) => ids.length === 0)) return [];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE invoices AS draft SET ready_to_be_refreshed = true, updated_at = ${now}
    WHERE organization_id = ${organizationId}::uuid AND status = 'draft' AND invoice_type = 'subscription'
      AND NOT ready_to_be_refreshed AND (
        customer_id = ANY(${customers}::uuid[])
        OR EXISTS (SELECT 1 FROM billing_periods AS period JOIN subscriptions ON subscriptions.id = period.subscription_id
          WHERE period.invoice_id = draft.id AND (subscriptions.plan_id = ANY(${plans}::uuid[])
            OR subscriptions.plan_id IN (SELECT plan_id FROM charges WHERE id = ANY(${charges}::uuid[]))
            OR subscriptions.plan_id IN (SELECT plan_id FROM fixed_charges WHERE id = ANY(${fixedCharges}::uuid[]))))
        OR EXISTS (SELECT 1 FROM fees JOIN fee_applied_taxes AS line ON line.fee_id = fees.id
          WHERE fees.invoice_id = draft.id AND line.tax_id = ANY(${taxes}::uuid[]))
        OR EXISTS (SELECT 1 FROM "_CustomerTaxes" AS own
          WHERE own."A" = draft.customer_id AND own."B" = ANY(${taxes}::uuid[]))
        OR (NOT EXISTS (SELECT 1 FROM "_CustomerTaxes" AS own WHERE own."A" = draft.customer_id) AND (
          billing_entity_id = ANY(${billingEntities}::uuid[])
          OR EXISTS (SELECT 1 FROM "_BillingEntityTaxes" AS tax
            WHERE tax."A" = draft.billing_entity_id AND tax."B" = ANY(${taxes}::uuid[])))))
    RETURNING id`;
  return rows.map(({ id }) => id);
}
