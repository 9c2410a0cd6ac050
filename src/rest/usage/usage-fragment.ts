// Usage as its endpoints show it, current, projected and past.

const unit = `pricing_unit_details: pricingUnitDetails {
  amount_cents: amountCents short_name: shortName conversion_rate: conversionRate
}`;

const figures = `units total_aggregated_units: totalAggregatedUnits events_count: eventsCount amount_cents: amountCents
  ${unit} presentation_breakdowns: presentationBreakdowns`;

const projectedFigures = `projected_units: projectedUnits projected_amount_cents: projectedAmountCents
  projected_presentation_breakdowns: projectedPresentationBreakdowns`;

const filter = 'invoice_display_name: invoiceDisplayName values';

const named = `amount_currency: amountCurrency
  charge { svc_id: svcId code charge_model: chargeModel invoice_display_name: invoiceDisplayName }
  billable_metric: billableMetric { svc_id: svcId name code aggregation_type: aggregationType }`;

const period = `from_datetime: fromDatetime to_datetime: toDatetime issuing_date: issuingDate svc_invoice_id: svcInvoiceId
  currency amount_cents: amountCents taxes_amount_cents: taxesAmountCents total_amount_cents: totalAmountCents`;

const usageOf = (name: string, shown: string, whole: string) => `
fragment ${name}Filter on FilterUsage { ${filter} ${shown} }
fragment ${name}Group on GroupUsage { grouped_by: groupedBy ${shown} filters { ...${name}Filter } }
fragment ${name}Charge on ChargeUsage {
  ${named} ${shown} filters { ...${name}Filter } grouped_usage: groupedUsage { ...${name}Group }
}
fragment ${name} on CustomerUsage { ${period} ${whole} charges_usage: chargesUsage { ...${name}Charge } }`;

/** Usage of a period. */
export const customerUsage = usageOf('CustomerUsage', figures, '');

/** The same with what it will come to. */
export const projectedUsage = usageOf(
  'CustomerProjectedUsage',
  `${figures} ${projectedFigures}`,
  'projected_amount_cents: projectedAmountCents',
);
