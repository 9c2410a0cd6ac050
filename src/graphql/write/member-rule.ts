import { type NumberRange, numberRange } from '../../billing/catalogue/number-range.ts';
import { snakeCase } from '../../billing/name-case.ts';
import type { Field } from '../../billing/resource/field.ts';
import { missingCode } from '../../billing/resource/member.ts';

/** What descriptions of a member can say of its values beyond their type. */
interface MemberRule {
  readonly range?: NumberRange;
  readonly isCurrency?: boolean;
  readonly isCountry?: boolean;
  /** Neither null nor blank where it is sent. */
  readonly isMandatory?: boolean;
}

const NUMBERS: ReadonlySet<string> = new Set(['cents', 'decimal', 'rate', 'integer']);

function ofKind(resource: string, name: string, { kind, isPositive }: Field): MemberRule {
  if (kind === 'currency') return { isCurrency: true };
  if (kind === 'country') return { isCountry: true };
  if (!NUMBERS.has(kind)) return {};
  const range = numberRange(resource, snakeCase(name));
  return { range: isPositive && kind === 'cents' ? { ...range, least: '1' } : range };
}

/** Extensions of the input that holds a member of a resource. */
export const memberRule = (resource: string, name: string, field: Field) => ({
  rule: { ...ofKind(resource, name, field), ...(field.isMandatory && { isMandatory: true }) } satisfies MemberRule,
  ...(field.isMandatory && { missing: missingCode(field) }),
});
