/** An event as its endpoints show it. */
export const event = `fragment Event on Event {
  svc_id: svcId transaction_id: transactionId svc_customer_id: svcCustomerId code timestamp: preciseTimestamp
  precise_total_amount_cents: preciseTotalAmountCents properties svc_subscription_id: svcSubscriptionId
  external_subscription_id: externalSubscriptionId created_at: createdAt
}`;
