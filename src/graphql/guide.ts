import { type GraphQLSchema, isScalarType, isSpecifiedScalarType } from 'graphql';

/** A query that answers with something wherever there is an invoice. */
export const FIRST_QUERY =
  '{ invoices(first: 3, filter: { status: [finalized] }) { totalCount nodes { number status currency totalAmountCents customer { name } fees(first: 5) { nodes { amountCents item { name } } } } } }';

/** What the schema says of itself: the first page of what explorers show. */
export const GUIDE = `Plans, customers, subscriptions, usage, invoices, credits, wallets and payments, as one graph.

**The key.** Every request carries one: \`Authorization: Bearer <key>\`. It belongs to one organization and sees nothing of others. What it may not read is null, with an error whose code is \`forbidden\`.

**What to ask first.** The newest invoices with what they consist of: \`${FIRST_QUERY}\` One object is read by the name that you gave it: \`{ customer(externalId: "acct_1") { name currency } }\`, \`{ plan(code: "basic") { name amountCents charges { code chargeModel } } }\`.

**Paging.** Lists are newest first. Read on with \`first\` (20, at most 100) and \`after\`, which takes \`pageInfo { endCursor }\` of the page before; or with \`page\` and \`perPage\`, and \`meta { totalPages nextPage }\`. \`totalCount\` is counted only where it is asked for.

**Money.** \`...Cents\` are whole minor units of the currency beside them, as strings with every digit: \`"1250"\` in EUR is 12.50, in JPY 1250. \`currencyDetails { exponent }\` beside it tells how many digits stand behind the point. Other amounts, prices and units are exact decimals, strings too: \`"12.5"\`. Calculate with integers or decimals, never with floating-point numbers.

**Errors.** \`extensions.code\` says what kind an error is (\`unauthorized\`, \`forbidden\`, \`object_not_found\`, \`bad_request\`, \`validation_errors\`, \`conflict\`, \`query_too_complex\`, \`rate_limit_exceeded\`); \`extensions.errorDetails\` names each wrong field. What is asked for beside it is answered all the same.

**Changes.** Mutations happen whole or not at all. With an \`Idempotency-Key\` header one happens once, however often it is sent. Subscriptions tell of changes as server-sent events, for clients that accept \`text/event-stream\`.`;

export interface Guide {
  /** Paragraphs. */
  readonly text: string;
  readonly query: string;
  readonly scalars: readonly { readonly name: string; readonly description: string }[];
}

/** The same for pages: with the scalars of the schema. */
export function guideOf(schema: GraphQLSchema): Guide {
  const scalars = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  const named = scalars.map(({ name, description }) => ({ name, description: description ?? '' }));
  return { text: GUIDE, query: FIRST_QUERY, scalars: named.sort((one, other) => one.name.localeCompare(other.name)) };
}
