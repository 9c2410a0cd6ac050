import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { contract, validate } from './check.mjs';

interface Operation {
  readonly success: readonly number[];
  readonly errors: Readonly<Record<string, unknown>>;
  readonly request: unknown;
  /** Null where the answer has no body. */
  readonly response?: unknown;
}

interface Operations {
  readonly $id: string;
  readonly operations: Readonly<Record<string, Operation>>;
}

const interfaceOf: Operations = JSON.parse(readFileSync(new URL('./operations.json', import.meta.url), 'utf8'));

const refusedAs = (name: string) => ({ $ref: `#/$defs/ApiError${name}` });
const MOMENT = { type: 'string', format: 'date-time' };
const ofMembers = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties });

/** What this gateway has and the interface does not. */
const OWN: Operations['operations'] = {
  advanceTestClock: {
    request: ofMembers({ to: MOMENT }),
    success: [200],
    response: ofMembers({ test_clock: ofMembers({ now: MOMENT }) }),
    errors: {
      ...{ 400: refusedAs('BadRequest'), 401: refusedAs('Unauthorized'), 405: refusedAs('NotAllowed') },
      422: refusedAs('UnprocessableEntity'),
    },
  },
};

const all: Operations = { ...interfaceOf, operations: { ...interfaceOf.operations, ...OWN } };

/** A schema in which members that an object may lack, and those of any name, may be null: answers hold every member. */
function withNulls(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNulls);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, required = [], ...rest } = schema as { properties?: object; required?: readonly string[] };
  const orNull = (own: unknown) => ({ anyOf: [{ type: 'null' }, own] });
  const others = Object.entries(rest).map(([name, value]): [string, unknown] => {
    const own = withNulls(value);
    return [name, name === 'additionalProperties' && typeof value === 'object' ? orNull(own) : own];
  });
  if (properties === undefined || Array.isArray(properties)) {
    return { ...Object.fromEntries(others), ...('required' in schema && { required }) };
  }
  const members = Object.entries(properties).map(([name, value]): [string, unknown] => {
    const own = withNulls(value);
    return [name, required.includes(name) ? own : orNull(own)];
  });
  return { ...Object.fromEntries(others), required, properties: Object.fromEntries(members) };
}

function schemasOf(operations: object): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false, allowUnionTypes: true });
  formats.default(ajv);
  return ajv.addSchema(operations);
}

/** What a payment that somebody recorded has of a provider, and one that a provider collected of a reference: nothing. */
const OF_SOME_PAYMENTS = ['reference', 'payment_provider_code', 'payment_provider_type', 'provider_customer_id'];

/**
 * Of members that are always there, those that are null all the same: as the twelve operations have them, which answer the same
 * objects, or because no other value would be true.
 */
function withKnownNulls(schema: Operations): Operations {
  const made: Operations & { $defs: Record<string, { properties: Record<string, object> }> } = structuredClone(
    schema,
  ) as never;
  const { properties = {} } = made.$defs.FixedChargeObject ?? {};
  properties.invoice_display_name = { type: ['string', 'null'] };
  // Empty where nobody knows an address, as in the twelve.
  const request = made.$defs.PaymentRequestObject?.properties ?? {};
  request.email = { type: 'string' };
  const payment = made.$defs.PaymentObject?.properties ?? {};
  for (const name of OF_SOME_PAYMENTS) payment[name] = { anyOf: [{ type: 'null' }, payment[name] ?? {}] };
  // Whose provider nobody has said.
  const method = made.$defs.PaymentMethodObject?.properties ?? {};
  method.payment_provider_type = { anyOf: [{ type: 'null' }, method.payment_provider_type ?? {}] };
  // Of an alert on all usage there is no metric.
  const alert = made.$defs.AlertObject?.properties ?? {};
  alert.billable_metric = { anyOf: [{ type: 'null' }, alert.billable_metric ?? {}] };
  // A plan has no value of what only a subscription has.
  const privilege = made.$defs.SubscriptionEntitlementPrivilegeObject as never as {
    allOf: { properties?: Record<string, object> }[];
  };
  const values = privilege.allOf.find((one) => one.properties)?.properties ?? {};
  values.plan_value = { anyOf: [{ type: 'null' }, values.plan_value ?? {}] };
  return made;
}

const requests = schemasOf(all);
const answers = schemasOf(withNulls(withKnownNulls(all)) as object);

/** Operations that the interface has and does not describe, each with the one that answers the same. */
const UNDESCRIBED: Readonly<Record<string, string>> = { findOrganization: 'updateOrganization' };

const isOfTwelve = (operation: string) => Object.hasOwn(contract.operations, operation);

/** What is known of an operation: of the twelve by the contract, of others by the operations of the interface. */
export function operationOf(operation: string): Operation | undefined {
  if (isOfTwelve(operation)) return contract.operations[operation];
  const same = all.operations[UNDESCRIBED[operation] ?? operation];
  // A read takes no body that could be wrong.
  return operation in UNDESCRIBED && same ? { ...same, request: null, errors: { 401: same.errors[401] } } : same;
}

function faultsBy(schemas: Ajv2020, place: string, body: unknown): string[] {
  const check = schemas.getSchema(`${all.$id}#/operations/${place}`);
  if (!check) throw new Error(`no schema of ${place}`);
  return check(body) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

/** What an answer (or a body, `request`) has against the schema of its operation; nothing where it is as it should be. */
export function answerFaults(named: string, status: number | 'request', body: unknown): string[] {
  if (named in UNDESCRIBED && status === 'request') return [];
  const operation = UNDESCRIBED[named] ?? named;
  if (isOfTwelve(operation)) {
    return validate(operation, status, body).map(({ path, message }) => `${path}: ${message}`);
  }
  const known = operationOf(operation);
  if (!known) return [`unknown operation ${operation}`];
  if (status === 'request') return known.request === null ? [] : faultsBy(requests, `${operation}/request`, body);
  if (known.response === null && known.success.includes(status)) return body === undefined ? [] : ['there is a body'];
  const place = known.success.includes(status) ? 'response' : `errors/${status}`;
  return faultsBy(answers, `${operation}/${place}`, body);
}
