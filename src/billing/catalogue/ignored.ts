import type { ErrorDetails, ErrorHints } from '../errors.ts';
import { camelCase, snakeCase } from '../name-case.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Members that were asked for with another value than the one that stays, as errors: `charge_model:
 * ["value_cannot_be_changed"]`. What stays may be sent along, undefined asks for nothing.
 */
export function ignoredMembers(asked: Members, kept: Members): ErrorDetails {
  const ignored = Object.keys(asked).filter((name) => asked[name] !== undefined && asked[name] !== kept[name]);
  return Object.fromEntries(ignored.map((name) => [snakeCase(name), ['value_cannot_be_changed']]));
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (typeof value === 'object' && 'toFixed' in value && typeof value.toFixed === 'function') return value.toFixed();
  return typeof value === 'string' ? `"${value}"` : String(value);
}

/** What members that cannot change may be: what they are. */
export const keptHints = (ignored: ErrorDetails, kept: Members): ErrorHints =>
  Object.fromEntries(Object.keys(ignored).map((name) => [name, { limit: shown(kept[camelCase(name)]) }]));
