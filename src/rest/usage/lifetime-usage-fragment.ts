/** What a subscription was used for over all its periods. */
export const lifetimeUsage = /* GraphQL */ `
fragment LifetimeUsage on LifetimeUsage {
  svc_id: svcId svc_subscription_id: svcSubscriptionId external_subscription_id: externalSubscriptionId
  external_historical_usage_amount_cents: externalHistoricalUsageAmountCents
  invoiced_usage_amount_cents: invoicedUsageAmountCents current_usage_amount_cents: currentUsageAmountCents
  from_datetime: fromDatetime to_datetime: toDatetime
  usage_thresholds: usageThresholds {
    amount_cents: amountCents completion_ratio: completionRatio reached_at: reachedAt
  }
}`;
