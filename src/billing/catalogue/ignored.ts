import type { ErrorDetails } from '../errors.ts';
import { snakeCase } from '../name-case.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Members that were asked for with another value than the one that stays, as errors: `charge_model:
 * ["value_cannot_be_changed"]`. What stays may be sent along, undefined asks for nothing.
 */
export function ignoredMembers(asked: Members, kept: Members): ErrorDetails {
  const ignored = Object.keys(asked).filter((name) => asked[name] !== undefined && asked[name] !== kept[name]);
  return Object.fromEntries(ignored.map((name) => [snakeCase(name), ['value_cannot_be_changed']]));
}
