import { anyId, anyOf, anyText, moments, needing, ofBillingEntity, ofCustomer } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { search } from '../list/search.ts';

/** How lists of wallets are narrowed and ordered. */
export const walletFilter = listFilter('Wallet', {
  renamed: { billingEntityCodes: 'billingEntityCode' },
  conditions: {
    status: anyOf('WalletStatus', 'status', 'Only wallets in one of these states.'),
    currency: anyText('currency', 'Only wallets in one of these currencies.'),
    externalCustomerId: anyText(ofCustomer, 'Only wallets of customers with one of these external identifiers.'),
    billingEntityCode: anyText(
      ofBillingEntity,
      "Only wallets of the entities with these codes: their own, else the customer's.",
    ),
    expirationAt: moments('expirationAt', 'Only wallets that expire in this time.'),
    search: search('Words in the name or the code, or in what lists of customers find its customer by.', ['customer']),
  },
  orders: ['expirationAt'],
  moneyOrders: ['balanceCents'],
});

/** How lists of wallet transactions are narrowed and ordered. */
export const walletTransactionFilter = listFilter('WalletTransaction', {
  renamed: { type: 'transactionType' },
  conditions: {
    svcWalletId: anyId('walletId', 'Only transactions of the wallets with these identifiers assigned by the service.'),
    externalCustomerId: anyText(ofCustomer, 'Only transactions of customers with one of these external identifiers.'),
    transactionType: anyOf('WalletTransactionType', 'transactionType', 'Only transactions of one of these directions.'),
    status: anyOf('WalletTransactionStatus', 'status', 'Only transactions in one of these states.'),
    transactionStatus: anyOf('WalletTransactionKind', 'transactionStatus', 'Only credits of one of these kinds.'),
    source: anyOf('WalletTransactionSource', 'source', 'Only transactions with one of these causes.'),
    currency: needing(
      'wallet',
      anyText(
        'wallet.currency',
        'Only transactions of wallets in one of these currencies, for keys that may read wallets.',
      ),
    ),
    createdAt: moments('createdAt', 'Only transactions created in this time.'),
    settledAt: moments('settledAt', 'Only transactions settled in this time.'),
  },
  orders: ['settledAt'],
  moneyOrders: ['amount'],
});
