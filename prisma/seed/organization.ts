import { CATALOGUE } from './catalogue.ts';
import type { Section } from './document.ts';
import { fillCustomer } from './fill.ts';
import { addMoney } from './money.ts';
import { addPayments, addRequests, annotate, settle } from './outcome.ts';
import { PEOPLE, type Person } from './people.ts';
import { PLANS } from './plan.ts';
import { idOf } from './random.ts';
import { FOUNDED } from './row.ts';
import { addPeople } from './story.ts';

export type Catalogue = Pick<
  Section,
  | 'taxes'
  | 'invoice_custom_sections'
  | 'billing_entities'
  | 'billable_metrics'
  | 'add_ons'
  | 'pricing_units'
  | 'coupons'
  | 'plans'
>;

const sectionOf = (name: string, created_at: string, catalogue: Catalogue): Section => ({
  organization: { svc_id: idOf('organization', name), name, created_at },
  ...structuredClone(catalogue),
  customers: [],
  payment_methods: [],
  subscriptions: [],
  applied_coupons: [],
  wallets: [],
  invoices: [],
  fees: [],
  credit_notes: [],
  payment_requests: [],
  payments: [],
  events: [],
});

function addPaymentMethods(section: Section): void {
  for (const customer of section.customers.filter((row) => row.billing_configuration?.payment_provider)) {
    section.payment_methods.push({
      svc_id: idOf('payment_method', customer.external_id),
      external_customer_id: customer.external_id,
      provider_method_id: `pm_${customer.external_id}`,
      provider_code: 'cards',
      is_default: true,
      details: {
        type: 'card',
        brand: 'visa',
        last4: String(1000 + customer.sequential_id * 37),
        exp_month: 8,
        exp_year: 2029,
      },
      created_at: customer.created_at,
      updated_at: customer.created_at,
    });
  }
}

/** Ranks among the final invoices of each entity, in the order in which they became final. */
function rankInEntities(section: Section): void {
  const counts = new Map<string, number>();
  const final = section.invoices.filter((row) => row.finalized_at && !row.self_billed);
  for (const row of final.sort((a, b) => Date.parse(String(a.finalized_at)) - Date.parse(String(b.finalized_at)))) {
    const entity = String(row.billing_entity_code);
    const rank = (counts.get(entity) ?? 0) + 1;
    counts.set(entity, rank);
    row.billing_entity_sequential_id = rank;
  }
}

/**
 * One organization from its catalogue and its people. Everything is computed twice: payments can be made only when there are
 * invoices, and what was paid decides what a termination gives back.
 */
export function organization(name: string, created: string, catalogue: Catalogue, people: readonly Person[]): Section {
  const section = sectionOf(name, created, catalogue);
  addPeople(section, people);
  addPaymentMethods(section);
  addMoney(section, people);
  for (const customer of section.customers) fillCustomer(section, customer);
  addPayments(section, people);
  for (const customer of section.customers) fillCustomer(section, customer);
  settle(section);
  addRequests(section, people);
  annotate(section, people);
  section.invoices.sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0));
  rankInEntities(section);
  return section;
}

/** The organization that the demo keys open. */
export const firstOrganization = (): Section =>
  organization('Quintavel', FOUNDED, { ...CATALOGUE, plans: PLANS }, PEOPLE);
