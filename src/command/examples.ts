const INVOICES = `# A customer's invoices with their fees, credits and taxes.
query CustomerInvoices {
  customer(externalId: "cus_aubrac") {
    name
    currency
    applicableTimezone
    invoices(first: 5, filter: { invoiceType: [subscription] }) {
      totalCount
      nodes {
        number
        status
        paymentStatus
        issuingDate
        feesAmountCents
        couponsAmountCents
        taxesAmountCents
        prepaidCreditAmountCents
        totalAmountCents
        feesBySubscription {
          subscription {
            externalId
          }
          count
          totalAmountCents
          fees {
            feeType
            amountCents
            units
            item {
              invoiceDisplayName
              groupedBy
            }
          }
        }
        credits {
          amountCents
          item {
            type
            code
          }
        }
      }
    }
  }
}
`;

const PLAN = `# What a plan costs: its charges with the prices of their filters, and its fixed charges.
query PlanPrices {
  plan(code: "scale") {
    name
    interval
    amountCents
    amountCurrency
    charges {
      code
      chargeModel
      minAmountCents
      properties
      filters {
        invoiceDisplayName
        values
        properties
      }
    }
    usageThresholds {
      thresholdDisplayName
      amountCents
      recurring
    }
  }
}
`;

const WALLETS = `# Prepaid credits: what is left of them, and what moved last.
query Wallets {
  wallets(first: 5) {
    nodes {
      name
      code
      status
      currency
      priority
      rateAmount
      creditsBalance
      balanceCents
      externalCustomerId
      transactions(first: 3) {
        nodes {
          transactionType
          transactionStatus
          creditAmount
          settledAt
        }
      }
    }
  }
}
`;

const REQUESTS = `# Requests to pay overdue invoices, page by page.
query PaymentRequests {
  paymentRequests(page: 1, perPage: 5) {
    nodes {
      paymentStatus
      amountCents
      amountCurrency
      customer {
        name
      }
      invoices {
        number
        totalAmountCents
        paymentDueDate
      }
    }
    meta {
      currentPage
      totalPages
      totalCount
      nextPage
    }
  }
}
`;

const ANALYTICS = `# Revenue by month, and what is still to be paid.
query Analytics {
  analytics(currency: "EUR", from: "2026-05-01", to: "2026-10-31") {
    grossRevenue {
      month
      currency
      amountCents
      invoicesCount
    }
    receivables {
      currency
      overdueAmountCents
    }
  }
}
`;

/** Operations that GraphiQL opens with, one a tab; the names in them are those of the demo. */
export const EXAMPLES: readonly string[] = [INVOICES, PLAN, WALLETS, REQUESTS, ANALYTICS];
