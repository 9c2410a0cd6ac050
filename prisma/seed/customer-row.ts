import { DAY_MS } from '../../src/billing/period/calendar.ts';
import { addressOf } from './address.ts';
import { type CustomerRow, timeText } from './document.ts';
import { type Person, traitOf } from './people.ts';
import { idOf } from './random.ts';

/** Everything starts in the morning of Greenwich. */
export const MORNING = 'T09:00:00Z';

function locationOf(person: Person) {
  return {
    ...(person.zone ? { timezone: person.zone } : {}),
    ...addressOf(person),
  };
}

/** A customer from what is known of a person. */
export function customerRow(person: Person, rank: number, currency: string): CustomerRow {
  const created_at = timeText(Date.parse(`${person.since}${MORNING}`) - DAY_MS);
  const slug = person.id.replace('_', '-');
  const tax = traitOf(person, 'tax');
  const grace = person.traits.has('grace') ? { invoice_grace_period: 30 } : {};
  const fails = person.traits.has('failing');
  const provider = {
    payment_provider: 'stripe',
    payment_provider_code: 'cards',
    provider_customer_id: `cus_${person.id}`,
  };
  return {
    svc_id: idOf('customer', person.id),
    external_id: `cus_${person.id}`,
    sequential_id: rank,
    name: person.name,
    legal_name: person.name,
    email: `accounts@${slug}.example`,
    phone: `+00 ${100_000 + rank * 317}`,
    url: `https://${slug}.example`,
    customer_type: 'company',
    ...locationOf(person),
    currency,
    billing_entity_code: person.entity,
    billing_configuration: {
      ...grace,
      document_locale: person.locale,
      ...(fails || person.traits.has('wallet') ? { ...provider, provider_payment_methods: ['card'], sync: true } : {}),
    },
    ...(person.traits.has('partner') ? { account_type: 'partner' as const } : {}),
    ...(person.traits.has('skip') ? { finalize_zero_amount_invoice: 'skip' as const } : {}),
    ...(tax ? { tax_codes: [...tax] } : {}),
    ...detailsOf(person, created_at),
    created_at,
    updated_at: created_at,
  };
}

/** What only some customers have: key-value pairs, links to other systems, another place to send to. */
function detailsOf(person: Person, created_at: string) {
  const shows = person.traits.has('wallet') || person.traits.has('meta');
  if (!shows) return {};
  const { tax_identification_number: _, ...seat } = addressOf(person);
  return {
    metadata: [
      { key: 'segment', value: person.country === 'FR' ? 'domestic' : 'export', display_in_invoice: true, created_at },
      { key: 'crm_note', value: `${person.name} ✓`, display_in_invoice: false, created_at },
    ],
    integration_customers: [
      {
        svc_id: idOf('integration', person.id),
        type: 'netsuite',
        integration_code: 'ledger',
        external_customer_id: `NS-${person.id}`,
        subsidiary_id: '1',
        targeted_object: 'company',
        sync_with_provider: true,
        email: `erp@${person.id}.example`,
        created_at,
      },
    ],
    shipping_address: { ...seat, address_line1: `Dock ${person.id.length}` },
  };
}
