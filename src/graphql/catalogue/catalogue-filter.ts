import { anyCountry, anyOf, anyText, flag } from '../list/condition.ts';
import { listFilter } from '../list/list-filter.ts';
import { search } from '../list/search.ts';

const SEARCH = search('Words in the code or the name.');
const CODE = anyText('code', 'Only those with one of these codes.');
const orders = ['code', 'name'];

/** How lists of billable metrics are narrowed and ordered. `BillableMetricFilter` is the name of a part of a metric. */
export const billableMetricFilter = listFilter('BillableMetric', {
  name: 'BillableMetricList',
  conditions: {
    code: CODE,
    aggregationType: anyOf('AggregationType', 'aggregationType', 'Only metrics that aggregate in one of these ways.'),
    recurring: flag('recurring', 'Only metrics that carry over to the next period, or only the others.'),
    search: SEARCH,
  },
  orders,
});

/** How lists of add-ons are narrowed and ordered. */
export const addOnFilter = listFilter('AddOn', {
  conditions: {
    code: CODE,
    currency: anyText('amountCurrency', 'Only add-ons in one of these currencies.'),
    search: SEARCH,
  },
  orders,
  moneyOrders: ['amountCents'],
});

/** How lists of billing entities are narrowed and ordered. */
export const billingEntityFilter = listFilter('BillingEntity', {
  conditions: {
    code: CODE,
    country: anyCountry('Only entities in one of these countries, by ISO 3166 alpha-2 code.'),
    search: search('Words in the code, a name or the e-mail address.'),
  },
  orders,
});

/** How lists of taxes are narrowed and ordered. */
export const taxFilter = listFilter('Tax', { conditions: { code: CODE, search: SEARCH }, orders });

/** How lists of features are narrowed and ordered. */
export const featureFilter = listFilter('Feature', {
  conditions: { code: CODE, search: search('Words in the code, the name or the description.') },
  orders,
});

/** How lists of pricing units are narrowed and ordered. */
export const pricingUnitFilter = listFilter('PricingUnit', { conditions: { code: CODE, search: SEARCH }, orders });

/** How lists of custom sections are narrowed and ordered. */
export const invoiceCustomSectionFilter = listFilter('InvoiceCustomSection', {
  conditions: { code: CODE, search: SEARCH },
  orders,
});

/** How lists of charges are narrowed and ordered. `ChargeFilter` is the name of a part of a charge. */
export const chargeFilter = listFilter('Charge', {
  name: 'ChargeList',
  conditions: {
    code: CODE,
    chargeModel: anyOf('ChargeModel', 'chargeModel', 'Only charges of one of these models.'),
    payInAdvance: flag('payInAdvance', 'Only charges that bill each event at once, or only the others.'),
  },
  orders: ['code'],
});

/** How lists of fixed charges are narrowed and ordered. */
export const fixedChargeFilter = listFilter('FixedCharge', {
  name: 'FixedChargeList',
  conditions: {
    code: CODE,
    chargeModel: anyOf('FixedChargeModel', 'chargeModel', 'Only fixed charges of one of these models.'),
    payInAdvance: flag(
      'payInAdvance',
      'Only fixed charges that are paid at the start of a period, or only the others.',
    ),
  },
  orders: ['code'],
});

/** How lists of the filters of a charge are narrowed and ordered. */
export const chargeFilterFilter = listFilter('ChargeFilter', {
  name: 'ChargeFilterList',
  conditions: { invoiceDisplayName: anyText('invoiceDisplayName', 'Only filters with one of these names.') },
  orders: ['position'],
});
