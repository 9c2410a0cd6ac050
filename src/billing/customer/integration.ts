import { type BillingError, invalid, joined } from '../errors.ts';
import { isEmail } from './email.ts';

/** An account of a customer at another system, as it is sent. */
export interface SentIntegration {
  readonly integrationType: string | null | undefined;
  readonly integrationCode: string | null | undefined;
  readonly externalCustomerId: string | null | undefined;
  readonly subsidiaryId: string | null | undefined;
  readonly targetedObject: string | null | undefined;
  readonly syncWithProvider: boolean | null | undefined;
  readonly email: string | null | undefined;
}

const SYSTEMS: ReadonlySet<string> = new Set(['netsuite', 'anrok', 'xero', 'hubspot', 'salesforce']);

function systemRefusal(sent: SentIntegration | null | undefined, place: number): BillingError[] {
  if (!sent) return []; // what is no object was refused for its form
  const { integrationType: type } = sent;
  if (type != null && SYSTEMS.has(type)) return [];
  const code = type == null || type.trim() === '' ? 'value_is_mandatory' : 'value_is_invalid';
  const hint = { at: ['integrationCustomers', place], limit: [...SYSTEMS].join(', ') };
  return [invalid({ integration_type: [code] }, { integration_type: hint })];
}

function emailRefusal(sent: SentIntegration | null | undefined, place: number): BillingError[] {
  const email = sent?.email?.trim() ?? '';
  if (email === '' || isEmail(email)) return [];
  return [invalid({ email: ['invalid_email_format'] }, { email: { at: ['integrationCustomers', place] } })];
}

/** All that is wrong with the accounts of a customer at other systems, one of each; undefined where nothing is. */
export function integrationRefusal(sent: readonly (SentIntegration | null | undefined)[]): BillingError | undefined {
  const types = sent.flatMap((one) => one?.integrationType ?? []);
  const count =
    new Set(types).size < types.length
      ? [invalid({ integration_customers: ['invalid_count_per_integration_type'] })]
      : [];
  const all = [...count, ...sent.flatMap(systemRefusal), ...sent.flatMap(emailRefusal)];
  return all.length > 0 ? joined(...all) : undefined;
}
