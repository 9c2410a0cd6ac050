/** Which custom sections the invoices of something print, as it is sent; absent: as it is. */
export interface SentSections {
  readonly skipInvoiceCustomSections?: boolean | null | undefined;
  /** The whole list; codes that nobody knows are left aside. */
  readonly invoiceCustomSectionCodes?: readonly string[] | null | undefined;
}

/**
 * What becomes of a choice of custom sections: that none are printed takes the list away, and while that is so no list is taken. `codes`
 * undefined: those that are chosen stay. `{skips: true}` with `["a"]` sent stays as it is. Source: engine-catalogue 9.
 */
export function sectionChoice(
  known: { readonly skips: boolean },
  sent: SentSections,
): { readonly skips: boolean; readonly codes: readonly string[] | undefined } {
  const skips = sent.skipInvoiceCustomSections ?? known.skips;
  if (!skips) return { skips, codes: sent.invoiceCustomSectionCodes ?? undefined };
  return { skips, codes: known.skips ? undefined : [] };
}

/** A choice of sections, of whatever kind. */
export interface SectionChoice<Section> {
  readonly skips: boolean;
  readonly sections: readonly Section[];
}

/** What a customer's invoices print where nothing else is chosen: its own sections, else those of its billing entity; none where it wants none. */
export function applicableSections<Section>(
  customer: SectionChoice<Section>,
  ofEntity: readonly Section[],
): readonly Section[] {
  if (customer.skips) return [];
  return customer.sections.length > 0 ? customer.sections : ofEntity;
}

/**
 * What an invoice prints, each once: of everything that it bills and that does not leave them out its own sections, and for those without any what
 * applies to the customer. One that bills nothing of the kind prints that, too. Source: engine-money 2.16.
 */
export function printedSections<Section extends { readonly code: string }>(
  billed: readonly SectionChoice<Section>[],
  applicable: readonly Section[],
): Section[] {
  const printed = billed.filter(({ skips }) => !skips);
  const all = printed.flatMap(({ sections }) => (sections.length > 0 ? sections : applicable));
  const byCode = new Map((billed.length > 0 ? all : applicable).map((section) => [section.code, section]));
  return [...byCode.values()].sort((one, other) => (one.code < other.code ? -1 : 1));
}
