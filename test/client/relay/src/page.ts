// What an app of Relay asks of the graph. Only the documents are read; nothing here is run.
import { graphql } from 'relay-runtime';

export const invoiceList = graphql`
  fragment page_list on Query
  @refetchable(queryName: "pageListQuery")
  @argumentDefinitions(
    first: { type: "Int", defaultValue: 20 }
    after: { type: "String" }
    filter: { type: "InvoiceFilter" }
    orderBy: { type: "InvoiceOrder" }
  ) {
    invoices(first: $first, after: $after, filter: $filter, orderBy: $orderBy) @connection(key: "page_invoices") {
      totalCount
      edges {
        node {
          id
          ...page_amounts
          customer {
            externalId
          }
        }
      }
    }
  }
`;

export const ofCustomer = graphql`
  fragment page_ofCustomer on Customer
  @refetchable(queryName: "pageOfCustomerQuery")
  @argumentDefinitions(
    first: { type: "Int" }
    after: { type: "String" }
    last: { type: "Int" }
    before: { type: "String" }
  ) {
    invoices(first: $first, after: $after, last: $last, before: $before)
      @connection(key: "page_ofCustomer_invoices", filters: []) {
      edges {
        node {
          ...page_amounts
        }
      }
    }
  }
`;

export const pageQuery = graphql`
  query pageQuery($externalId: String!, $filter: InvoiceFilter) {
    ...page_list @arguments(filter: $filter)
    customer(externalId: $externalId) {
      name
      ...page_ofCustomer @arguments(first: 5)
    }
  }
`;

/** Of an invoice that is there and of one that is only computed alike. */
export const amounts = graphql`
  fragment page_amounts on AnyInvoice {
    number
    status
    issuingDate
    createdAt
    taxesRate
    totalAmountCents
    customer {
      name
    }
  }
`;

export const previewQuery = graphql`
  query pagePreviewQuery($input: InvoicePreviewInput!) {
    invoicePreview(input: $input) {
      mode
      ...page_amounts
    }
  }
`;

export const invoice = graphql`
  fragment page_invoice on Invoice @refetchable(queryName: "pageInvoiceQuery") {
    svcId
    allFees {
      id
      units
      amountCents
    }
  }
`;

export const nodeQuery = graphql`
  query pageNodeQuery($id: ID!) {
    node(id: $id) {
      __typename
      ...page_invoice @alias(as: "invoice")
    }
  }
`;

export const updateCharge = graphql`
  mutation pageUpdateChargeMutation($planCode: String!, $chargeCode: String!, $input: UpdateChargeInput!) {
    updateCharge(planCode: $planCode, chargeCode: $chargeCode, input: $input) {
      id
      code
      changes {
        dryRun
        charges(first: 10) {
          edges {
            node {
              id
              minAmountCents
            }
          }
        }
      }
    }
  }
`;
