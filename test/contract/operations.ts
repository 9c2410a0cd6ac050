import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { contract, validate } from './check.mjs';

interface Operation {
  readonly success: readonly number[];
  readonly errors: Readonly<Record<string, unknown>>;
  readonly request: unknown;
}

interface Operations {
  readonly $id: string;
  readonly operations: Readonly<Record<string, Operation>>;
}

const all: Operations = JSON.parse(readFileSync(new URL('./operations.json', import.meta.url), 'utf8'));

const ajv = new Ajv2020({ allErrors: true, strict: false, allowUnionTypes: true });
formats.default(ajv);
ajv.addSchema(all);

const isOfTwelve = (operation: string) => Object.hasOwn(contract.operations, operation);

/** What is known of an operation: of the twelve by the contract, of others by the operations of the interface. */
export const operationOf = (operation: string): Operation | undefined =>
  isOfTwelve(operation) ? contract.operations[operation] : all.operations[operation];

function faultsBy(place: string, body: unknown): string[] {
  const check = ajv.getSchema(`${all.$id}#/operations/${place}`);
  if (!check) throw new Error(`no schema of ${place}`);
  return check(body) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

/** What an answer (or a body, `request`) has against the schema of its operation; nothing where it is as it should be. */
export function answerFaults(operation: string, status: number | 'request', body: unknown): string[] {
  if (isOfTwelve(operation)) {
    return validate(operation, status, body).map(({ path, message }) => `${path}: ${message}`);
  }
  const known = operationOf(operation);
  if (!known) return [`unknown operation ${operation}`];
  if (status === 'request') return known.request === null ? [] : faultsBy(`${operation}/request`, body);
  return faultsBy(known.success.includes(status) ? `${operation}/response` : `${operation}/errors/${status}`, body);
}
