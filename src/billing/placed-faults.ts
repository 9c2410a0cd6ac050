import { BillingError, type ErrorDetails, type ErrorHint, type ErrorHints, invalid, placedName } from './errors.ts';

/** How error details call a member of one of several objects, and where that object stands. */
export interface Naming {
  nameOf(place: number, member: string): string;
  at(place: number): readonly (string | number)[];
}

/** Of objects in a list of this name: `<place>.<member>`. */
export const inList = (list: string): Naming => ({ nameOf: placedName, at: (place) => [list, place] });
/** Of one alone: the members' own names. */
export const ALONE: Naming = { nameOf: (_place, member) => member, at: () => [] };

/** What is wrong with the objects of a list, by their places. */
export class PlacedFaults {
  /** By place, under the members' own names. */
  readonly own = new Map<number, ErrorDetails>();
  private readonly details: ErrorDetails = {};
  private readonly hints: Record<string, ErrorHint> = {};

  constructor(private readonly naming: Naming) {}

  add(place: number, details: ErrorDetails, hints: ErrorHints = {}): void {
    const known = this.own.get(place);
    this.own.set(place, known ? { ...known, ...details } : details);
    for (const [member, codes] of Object.entries(details)) {
      const name = this.naming.nameOf(place, member);
      this.details[name] = codes;
      this.hints[name] = { ...hints[member], name: member, at: this.naming.at(place) };
    }
  }

  /** What is read of the object at a place; nothing where that refuses it, which is noted. */
  read<T>(place: number, read: () => T): readonly T[] {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof BillingError) || !error.details) throw error;
      this.add(place, error.details, error.hints);
      return [];
    }
  }

  throwAny(): void {
    if (this.own.size > 0) throw invalid(this.details, this.hints);
  }
}
