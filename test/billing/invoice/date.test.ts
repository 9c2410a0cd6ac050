import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DateAdjustment, DateAnchor, DocumentSettings } from '../../../src/billing/customer/customer.ts';
import { invoiceDates } from '../../../src/billing/invoice/date.ts';
import { formatDate } from '../../../src/billing/period/calendar.ts';
import { parseInstant } from '../../instant.ts';

const AT = parseInstant('2024-05-10T12:00:00Z');
const periodic = { at: AT, zone: 'UTC', subscription: true, periodic: true };

function shown(invoice: typeof periodic, customer: DocumentSettings, entity: DocumentSettings = {}) {
  const dates = invoiceDates(invoice, customer, entity);
  return [dates.issuingDate, dates.expectedFinalizationDate, dates.paymentDueDate].map(formatDate);
}

describe('invoiceDates', () => {
  it.each<[DateAnchor, DateAdjustment, number, string, string]>([
    ['current_period_end', 'keep_anchor', 3, '2024-05-09', '2024-05-13'],
    ['current_period_end', 'keep_anchor', 0, '2024-05-09', '2024-05-10'],
    ['current_period_end', 'align_with_finalization_date', 3, '2024-05-13', '2024-05-13'],
    ['current_period_end', 'align_with_finalization_date', 0, '2024-05-09', '2024-05-10'],
    ['next_period_start', 'keep_anchor', 3, '2024-05-10', '2024-05-13'],
    ['next_period_start', 'keep_anchor', 0, '2024-05-10', '2024-05-10'],
    ['next_period_start', 'align_with_finalization_date', 3, '2024-05-13', '2024-05-13'],
    ['next_period_start', 'align_with_finalization_date', 0, '2024-05-10', '2024-05-10'],
  ])('periodic, %s, %s, grace %i: issued %s, final %s', (anchor, adjustment, grace, issued, final) => {
    const settings = { issuingDateAnchor: anchor, issuingDateAdjustment: adjustment, invoiceGracePeriod: grace };
    expect(shown(periodic, settings)).toEqual([issued, final, issued]);
    expect(shown(periodic, {}, settings)).toEqual([issued, final, issued]);
  });

  it('ignores anchor and adjustment where the invoice is not periodic', () => {
    const settings = { issuingDateAnchor: 'current_period_end', issuingDateAdjustment: 'keep_anchor' } as const;
    const start = { ...periodic, periodic: false };
    expect(shown(start, { ...settings, invoiceGracePeriod: 3 })).toEqual(['2024-05-13', '2024-05-13', '2024-05-13']);
  });

  it('gives no grace to what is not a subscription invoice', () => {
    const single = { ...periodic, subscription: false };
    const settings = { invoiceGracePeriod: 3, netPaymentTerm: 30, issuingDateAnchor: 'current_period_end' } as const;
    expect(shown(single, settings)).toEqual(['2024-05-10', '2024-05-10', '2024-06-09']);
  });

  it('takes the setting of the customer before that of the entity, 0 included', () => {
    const entity = { invoiceGracePeriod: 3, netPaymentTerm: 30 };
    expect(shown(periodic, { invoiceGracePeriod: 0, netPaymentTerm: 0 }, entity)[2]).toBe('2024-05-10');
    expect(shown(periodic, { invoiceGracePeriod: null, netPaymentTerm: null }, entity)[2]).toBe('2024-06-12');
    expect(invoiceDates(periodic, {}, entity).netPaymentTerm).toBe(30);
    expect(shown(periodic, {})).toEqual(['2024-05-10', '2024-05-10', '2024-05-10']);
  });

  it('dates by the local date', () => {
    const at = parseInstant('2022-11-25T01:00:00Z');
    expect(shown({ ...periodic, at, zone: 'America/Los_Angeles' }, {})[0]).toBe('2022-11-24');
    expect(shown({ ...periodic, at: parseInstant('2026-04-23T22:00:00Z'), zone: 'Africa/Cairo' }, {})[0]).toBe(
      '2026-04-24',
    );
  });
});

interface DatesCase {
  id: string;
  setup: { timezone: string; billing_entity: Settings; customer: Settings };
  action: {
    what?: string;
    invoice_type: string;
    invoicing_reason: string;
    charge_in_advance: boolean;
    datetime: string;
  };
  expected: Record<string, string | number>;
}

interface Settings {
  invoice_grace_period: number | null;
  net_payment_term: number | null;
  subscription_invoice_issuing_date_anchor?: DateAnchor | null;
  subscription_invoice_issuing_date_adjustment?: DateAdjustment | null;
}

describe('the date cases of invoice-scenarios.json', () => {
  const all: DatesCase[] = JSON.parse(
    readFileSync(new URL('../../vectors/invoice-scenarios.json', import.meta.url), 'utf8'),
  );
  const cases = all.filter((known) => known.action.what === 'invoice_dates');
  const settingsOf = (settings: Settings): DocumentSettings => ({
    invoiceGracePeriod: settings.invoice_grace_period,
    netPaymentTerm: settings.net_payment_term,
    issuingDateAnchor: settings.subscription_invoice_issuing_date_anchor ?? null,
    issuingDateAdjustment: settings.subscription_invoice_issuing_date_adjustment ?? null,
  });

  it('are there', () => {
    expect(cases.length).toBeGreaterThan(5);
  });

  it.each(cases.map((known) => [known.id, known] as const))('%s', (_id, { setup, action, expected }) => {
    const dates = invoiceDates(
      {
        at: parseInstant(action.datetime),
        zone: setup.timezone,
        subscription: action.invoice_type === 'subscription' && !action.charge_in_advance,
        periodic: action.invoicing_reason === 'subscription_periodic',
      },
      settingsOf(setup.customer),
      settingsOf(setup.billing_entity),
    );
    expect({
      issuing_date: formatDate(dates.issuingDate),
      payment_due_date: formatDate(dates.paymentDueDate),
      expected_finalization_date: formatDate(dates.expectedFinalizationDate),
      net_payment_term: dates.netPaymentTerm,
    }).toMatchObject(expected);
  });
});
