import { type BillingError, type ErrorDetails, invalid, placedName } from '../../billing/errors.ts';
import { camelCase, snakeCase } from '../../billing/name-case.ts';
import type { Route } from '../../rest/route.ts';
import type { LengthFaults } from '../limit/input-limit.ts';

// So many members that do not fit are read; a body may hold a hundred thousand of them.
const MOST_FAULTS = 100;

/** Where something stands, from the variable on. */
export type Place = readonly (string | number)[];
export type Telling = Pick<Route, 'tellsPlaces' | 'formFaults'>;

/** A place within an input: `metadata.1.value`. */
const textOf = (place: Place) => place.map((key) => (typeof key === 'string' ? camelCase(key) : key)).join('.');

/** What is told of an object in a list: its member, or itself. */
function placedField(at: Place, field: string): string {
  const index = at.findIndex((key) => typeof key === 'number');
  return index < 0 ? field : placedName(Number(at[index]), index === at.length - 1 ? 'base' : field);
}

/** What is wrong with the variables of a document, by the names of members; where places are told, of objects in a list as `<place>.<member>`. */
export class Faults {
  readonly details: ErrorDetails = {};
  private readonly places = new Set<string>();
  private count = 0;

  constructor(private readonly telling: Telling) {}

  /** The form of what is at a place, told by a field. */
  addForm(at: Place, field: string, codes: readonly string[]): undefined {
    this.count += 1;
    if (this.count > MOST_FAULTS) throw invalid(this.details);
    const { formFaults = {}, tellsPlaces } = this.telling;
    const own = codes.map((code) => (code === 'value_is_invalid' ? (formFaults[field] ?? code) : code));
    this.places.add(textOf(at.slice(1)));
    this.tell(tellsPlaces ? placedField(at, field) : field, own);
  }

  addLengths({ details, errors }: LengthFaults): void {
    for (const { path } of errors) this.places.add(textOf(path.slice(1)));
    const isPlaced = this.telling.tellsPlaces && errors.every(({ path }) => typeof path[1] === 'number');
    if (!isPlaced) for (const [field, codes] of Object.entries(details)) this.tell(field, codes);
    else for (const { path, code } of errors) this.tell(placedName(Number(path[1]), memberIn(path)), [code]);
  }

  /** What the rules of an input say of the rest. What has a fault already is none to them. */
  addRefusal(refusal: BillingError): void {
    for (const [field, codes] of Object.entries(refusal.details ?? {})) {
      const isNew = (_code: string, index: number) => {
        const { at = [], name = field } = refusal.hintOf(field, index);
        return !this.places.has(textOf(at)) && !this.isFaulty(textOf([...at, name]));
      };
      const own = codes.filter(isNew);
      const [index] = refusal.hintOf(field, 0).at ?? [];
      const isPlaced = this.telling.tellsPlaces && typeof index === 'number';
      if (own.length > 0) this.tell(isPlaced ? placedName(index, field) : field, own);
    }
  }

  /** Whether a member has a fault, or one of the values that it lists. */
  private isFaulty(member: string): boolean {
    const isIn = (place: string) => place.startsWith(`${member}.`) && /^\d+$/.test(place.slice(member.length + 1));
    return this.places.has(member) || [...this.places].some(isIn);
  }

  private tell(name: string, codes: readonly string[]): void {
    this.details[name] = [...new Set([...(this.details[name] ?? []), ...codes])];
  }
}

const memberIn = ([, , member]: Place) => (typeof member === 'string' ? snakeCase(member) : 'base');
