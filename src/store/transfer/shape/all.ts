import type { Shape } from '../document/shape.ts';
import { ALERT } from './alert.ts';
import { ADD_ON, BILLABLE_METRIC, BILLING_ENTITY, INVOICE_CUSTOM_SECTION, PRICING_UNIT, TAX } from './catalogue.ts';
import { APPLIED_COUPON, COUPON } from './coupon.ts';
import { CREDIT_NOTE } from './credit-note.ts';
import { CUSTOMER, PAYMENT_METHOD } from './customer.ts';
import { EVENT } from './event.ts';
import { FEATURE } from './feature.ts';
import { FEE } from './fee.ts';
import { INVOICE } from './invoice.ts';
import { PAYMENT, PAYMENT_REQUEST } from './payment.ts';
import { PLAN } from './plan.ts';
import { SUBSCRIPTION } from './subscription.ts';
import { WALLET } from './wallet.ts';

/** The sections of a document. They are read in this order, whatever their order in the file: each refers to earlier ones. */
export const SECTIONS: readonly Shape[] = [
  TAX,
  INVOICE_CUSTOM_SECTION,
  BILLING_ENTITY,
  BILLABLE_METRIC,
  ADD_ON,
  PRICING_UNIT,
  FEATURE,
  PLAN,
  CUSTOMER,
  PAYMENT_METHOD,
  SUBSCRIPTION,
  ALERT,
  COUPON,
  APPLIED_COUPON,
  WALLET,
  INVOICE,
  FEE,
  CREDIT_NOTE,
  PAYMENT_REQUEST,
  PAYMENT,
  EVENT,
];

function family(shape: Shape): Shape[] {
  return [shape, ...shape.children.flatMap((child) => family(child.shape()))];
}

const byName = new Map(SECTIONS.flatMap(family).map((shape) => [shape.name, shape]));

/** The shape of that name; references name shapes. */
export function shapeNamed(name: string): Shape {
  const shape = byName.get(name);
  if (!shape) throw new Error(`no shape ${name}`);
  return shape;
}
