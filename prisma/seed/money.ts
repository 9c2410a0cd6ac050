import { DAY_MS } from '../../src/billing/period/calendar.ts';
import { type Section, timeText } from './document.ts';
import { type EnteredFee, entered, isOf } from './entered.ts';
import { type Person, traitOf } from './people.ts';
import { idOf } from './random.ts';
import { addWallets } from './wallet.ts';

const fee = (
  id: string,
  add_on_code: string,
  units: string,
  precise_unit_amount: string,
  taxes: readonly string[],
): EnteredFee => ({
  svc_id: idOf('fee', id, add_on_code),
  add_on_code,
  units,
  precise_unit_amount,
  item: { type: 'add_on' },
  applied_taxes: taxes.map((tax_code) => ({ tax_code })),
});

function addOneOff(section: Section, person: Person): void {
  const id = idOf('one-off', person.id);
  const at = timeText(Date.parse(`${person.since}T14:00:00Z`) + 40 * DAY_MS);
  const customer = section.customers.find(({ external_id }) => external_id === isOf(person));
  const taxes = customer?.currency === 'EUR' ? ['vat_fr'] : ['sales_ny'];
  const fees = [fee(id, 'onboarding', '1.0', '1200', taxes), fee(id, 'audit_report', '2.5', '349.99', taxes)];
  section.invoices.push(entered(person, id, 'one_off', at, customer?.currency ?? 'EUR', fees));
}

/** Invoices in states that last a moment in life: made by hand for the last days before the end of the demo. */
function addUnfinished(section: Section, people: readonly Person[]): void {
  const states = ['failed', 'pending', 'open', 'generating'] as const;
  for (const [index, status] of states.entries()) {
    const person = people[index];
    if (!person) continue;
    const id = idOf('unfinished', status);
    const fees = status === 'generating' ? [] : [fee(id, 'audit_report', '1.0', '350', [])];
    section.invoices.push(entered(person, id, 'one_off', `2026-11-2${index + 1}T10:00:00Z`, 'EUR', fees, status));
  }
  const person = people.at(-1);
  const id = idOf('add-on', 'first');
  if (person)
    section.invoices.push(
      entered(person, id, 'add_on', '2026-05-04T10:00:00Z', 'EUR', [fee(id, 'audit_report', '1.0', '350', ['vat_fr'])]),
    );
}

/** Coupons, wallets and entered invoices of people whose customers are in the section. */
export function addMoney(section: Section, people: readonly Person[]): void {
  for (const person of people) {
    const coupon = traitOf(person, 'coupon');
    const created_at = timeText(Date.parse(`${person.since}T08:30:00Z`));
    if (coupon) {
      section.applied_coupons.push({
        svc_id: idOf('applied_coupon', person.id),
        coupon_code: String(coupon[0]),
        external_customer_id: isOf(person),
        created_at,
        updated_at: created_at,
      });
    }
    addWallets(section, person);
    if (person.traits.has('one_off')) addOneOff(section, person);
  }
  addUnfinished(
    section,
    people.filter(({ entity, plan }) => entity === 'quintavel_fr' && plan === 'starter'),
  );
}
