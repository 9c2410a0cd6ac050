/** By their kinds, the identifiers of rows that a write changed or made. What is absent is none. */
export interface Changed {
  readonly alerts?: readonly string[];
  readonly appliedCoupons?: readonly string[];
  readonly auditLogs?: readonly string[];
  readonly charges?: readonly string[];
  readonly creditNotes?: readonly string[];
  readonly customers?: readonly string[];
  readonly fixedCharges?: readonly string[];
  readonly fixedChargeUnitsEvents?: readonly string[];
  readonly invoices?: readonly string[];
  readonly paymentMethods?: readonly string[];
  readonly plans?: readonly string[];
  readonly recurringTransactionRules?: readonly string[];
  readonly subscriptions?: readonly string[];
  readonly wallets?: readonly string[];
  readonly walletTransactions?: readonly string[];
}

/** What a use case wrote: the row that it is about, and what it changed or made besides. */
export interface Written {
  readonly id: string;
  readonly changed: Changed;
}

/** Several parts of one write; a row that two of them changed is named once. */
export function allChanged(parts: readonly Changed[]): Changed {
  const all = new Map<string, Set<string>>();
  for (const [kind, ids] of parts.flatMap((part) => Object.entries(part))) {
    const known = all.get(kind) ?? new Set<string>();
    all.set(kind, known);
    for (const id of ids as readonly string[]) known.add(id);
  }
  return Object.fromEntries([...all].map(([kind, ids]) => [kind, [...ids]]));
}
