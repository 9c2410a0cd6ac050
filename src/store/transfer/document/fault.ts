/** What is wrong at one place of the document: `customers[3].currency`. */
export interface Fault {
  readonly place: string;
  readonly codes: string[];
}

/** The document was refused and nothing of it was stored. The message has one line a fault. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ place, codes }) => `${place}: ${codes.join(', ')}`).join('\n'));
  }
}

/** A person corrects a file in rounds; more than this at once is noise. */
const MOST_FAULTS = 100;

/** Collects faults; the one that exceeds the bound ends the import. */
export class FaultList {
  readonly faults: Fault[] = [];

  add(place: string, ...codes: string[]): void {
    const known = this.faults.find((fault) => fault.place === place);
    if (known) known.codes.push(...codes.filter((code) => !known.codes.includes(code)));
    else this.faults.push({ place, codes });
    if (this.faults.length >= MOST_FAULTS) this.throwIfAny();
  }

  throwIfAny(): void {
    if (this.faults.length > 0) throw new ImportError(this.faults);
  }
}
