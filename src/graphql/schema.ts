import { printSchema } from 'graphql';
import './base/currency.ts';
import './base/scalar.ts';
import './base/text-scalar.ts';
import './catalogue/add-on.ts';
import './insight/analytics.ts';
import './insight/audit-log.ts';
import './insight/job.ts';
import './catalogue/billable-metric.ts';
import './customer/billing-entity.ts';
import './catalogue/charge.ts';
import './catalogue/charge-filter.ts';
import './catalogue/charge-write.ts';
import './catalogue/coupon.ts';
import './invoice/credit.ts';
import './customer/applied-coupon.ts';
import './customer/customer.ts';
import './customer/customer-link.ts';
import './preview/estimate-fees.ts';
import './preview/instant-fees.ts';
import './usage/evaluate-expression.ts';
import './usage/event.ts';
import './usage/event-refusal.ts';
import './usage/event-review.ts';
import './usage/record-events.ts';
import './usage/usage-position.ts';
import './catalogue/feature.ts';
import './invoice/fee.ts';
import './catalogue/fixed-charge.ts';
import './customer/invoice-custom-section.ts';
import './invoice/invoice.ts';
import './invoice/adjusted-fee.ts';
import './invoice/fee-write.ts';
import './invoice/invoice-retry.ts';
import './invoice/invoice-write.ts';
import './preview/invoice-preview.ts';
import './insight/live.ts';
import './customer/organization.ts';
import './payment/payment-method.ts';
import './payment/payment-request.ts';
import './payment/payment.ts';
import './catalogue/plan.ts';
import './catalogue/price/price-write.ts';
import './subscription/alert.ts';
import './subscription/alert-write.ts';
import './subscription/lifetime-usage-write.ts';
import './subscription/subscription.ts';
import './subscription/subscription-write.ts';
import './subscription/subscription-price-write.ts';
import './subscription/subscription-entitlement.ts';
import './catalogue/tax.ts';
import './payment/wallet.ts';
import { builder } from './base/builder.ts';
import { guardSchema } from './base/guard.ts';
import { holdLists } from './base/held-list.ts';
import { limitInputs } from './base/input-limit.ts';
import { openEnums } from './base/open-enum.ts';
import { withTwins } from './base/twin.ts';
import { GUIDE } from './guide.ts';
import { sortedSchema } from './introspection.ts';

/** The schema that every door executes, with its permission checks and the limits of its inputs. */
export const schema = holdLists(
  limitInputs(guardSchema(openEnums(withTwins(builder.toSchema({ sortSchema: false }))))),
);
schema.description = GUIDE;

/** The text of `schema.graphql`. */
export const schemaText = () => `${printSchema(sortedSchema(schema))}\n`;
