import { lexicographicSortSchema, printSchema } from 'graphql';
import './add-on.ts';
import './analytics.ts';
import './audit-log.ts';
import './billable-metric.ts';
import './billing-entity.ts';
import './charge.ts';
import './charge-filter.ts';
import './charge-write.ts';
import './coupon.ts';
import './credit.ts';
import './customer.ts';
import './event.ts';
import './fee.ts';
import './fixed-charge.ts';
import './invoice-custom-section.ts';
import './invoice.ts';
import './invoice-preview.ts';
import './live.ts';
import './organization.ts';
import './payment-method.ts';
import './payment-request.ts';
import './payment.ts';
import './plan.ts';
import './subscription.ts';
import './tax.ts';
import './wallet.ts';
import { builder } from './builder.ts';
import { guardSchema } from './guard.ts';
import { limitInputs } from './input-limit.ts';
import { withTwins } from './twin.ts';

/** The schema that every door executes, with its permission checks and the limits of its inputs. */
export const schema = limitInputs(guardSchema(withTwins(builder.toSchema({ sortSchema: false }))));

/** The text of `schema.graphql`. */
export const schemaText = () => `${printSchema(lexicographicSortSchema(schema))}\n`;
