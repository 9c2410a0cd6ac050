import type { CustomerValues, SentCustomer } from '../../billing/resource/customer.ts';
import { customerVat, type VatCustomer } from '../../billing/vat/customer-vat.ts';
import type { Actor } from '../../store/access/audit.ts';
import { addManagedTaxes } from '../../store/catalogue/managed-tax.ts';
import type { TenantTransaction } from '../../store/database/tenant.ts';

interface Taxed {
  readonly entity: Parameters<typeof customerVat>[0]['entity'] & { readonly code: string };
  readonly values: CustomerValues;
  readonly sent: SentCustomer;
  readonly before?: Parameters<typeof customerVat>[0]['before'];
  /** Whether there is a register that is asked about numbers: then what is billed meanwhile waits for its answer. */
  readonly asksRegister?: boolean | undefined;
}

/** The values with the taxes that follow from where the customer is, which are made where they are not there, and what is known of its VAT number. */
export async function withVat(
  tx: TenantTransaction,
  actor: Actor,
  { entity, values, sent, before, asksRegister }: Taxed,
) {
  const after: VatCustomer = { ...values, billingEntityCode: entity.code };
  const { taxCodes, status } = customerVat({ entity, before, after, sent: sent.members.taxCodes });
  if (taxCodes !== values.taxCodes) await addManagedTaxes(tx, actor, taxCodes);
  // A number that waits anew is asked about at once.
  const isOther =
    status !== (before?.vatStatus ?? null) ||
    (status === 'pending' && before?.taxIdentificationNumber !== values.taxIdentificationNumber);
  const vatDueAt = status === 'pending' && asksRegister ? actor.now : null;
  const columns = isOther ? { vatStatus: status, vatCheckedAt: null, vatUnanswered: 0, vatDueAt } : {};
  return { values: { ...values, taxCodes }, columns };
}
