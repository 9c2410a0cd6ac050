const CATALOGUE = `# Ten minutes in an empty organization, tab by tab: its key stands in the headers below.
# First a metric that counts, a plan with a price for what it counts, and a customer.
mutation CreatePlan {
  createBillableMetric(input: { code: "calls", name: "Calls", aggregationType: count_agg }) {
    code
  }
  createPlan(
    input: {
      code: "team"
      name: "Team"
      interval: monthly
      amountCents: "4900"
      amountCurrency: "EUR"
      payInAdvance: false
      charges: [
        {
          billableMetricCode: "calls"
          chargeModel: standard
          pricing: { standard: { amount: "0.5" } }
        }
      ]
    }
  ) {
    code
    charges {
      code
      properties
    }
  }
  upsertCustomer(input: { externalId: "harbour", name: "Harbour", currency: "EUR" }) {
    slug
  }
}
`;

const FIRST_PREVIEW = `# What the first month would cost the customer, with 300 calls. Nothing is billed.
query Preview {
  invoicePreview(
    input: {
      planCode: "team"
      subscriptionAt: "2026-01-01"
      customer: { externalId: "harbour" }
      usage: [{ metricCode: "calls", units: "300" }]
    }
  ) {
    issuingDate
    totalAmountCents
    allFees {
      item {
        name
      }
      units
      amountCents
    }
  }
}
`;

const SUBSCRIBE = `# The customer subscribes to the plan and uses it: three calls.
mutation Subscribe {
  createSubscription(input: { externalCustomerId: "harbour", externalId: "harbour-1", planCode: "team" }) {
    externalId
    status
    startedAt
  }
  recordEvents(
    events: [
      { transactionId: "call-1", externalSubscriptionId: "harbour-1", code: "calls" }
      { transactionId: "call-2", externalSubscriptionId: "harbour-1", code: "calls" }
      { transactionId: "call-3", externalSubscriptionId: "harbour-1", code: "calls" }
    ]
  ) {
    transactionId
  }
}
`;

const MONTH = `# A month goes by: all that is due until then is billed. A clock is never set back.
mutation AdvanceAMonth {
  advanceClock(input: { to: "2026-02-02T00:00:00Z" }) {
    testClockAt
  }
}
`;

const INVOICE = `# The invoice of the month. fileUrl is its PDF: open it in the browser.
query OpenInvoice {
  invoices(first: 1) {
    nodes {
      number
      status
      issuingDate
      totalAmountCents
      fileUrl
      fees {
        nodes {
          item {
            name
          }
          units
          amountCents
        }
      }
    }
  }
}
`;

/** From an empty organization with a clock to an invoice, one step a tab. */
export const TRIAL: readonly string[] = [CATALOGUE, FIRST_PREVIEW, SUBSCRIBE, MONTH, INVOICE];
