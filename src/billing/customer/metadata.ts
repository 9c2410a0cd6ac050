import { type BillingError, type ErrorDetails, type ErrorHint, invalid, joined } from '../errors.ts';

/** A pair that a customer has, or is to have. */
export interface MetadataPair {
  readonly key: string;
  readonly value: string;
  readonly displayInInvoice: boolean;
}

export interface StoredPair extends MetadataPair {
  readonly id: string;
}

/** A pair as it is sent: the whole of it, also where it names a stored one. */
export interface SentPair {
  readonly id?: string | null | undefined;
  readonly key: string | null | undefined;
  readonly value: string | null | undefined;
  readonly displayInInvoice: boolean | null | undefined;
}

const MOST_PAIRS = 5;

/** How many characters the key and the value of a pair may have. */
interface Longest {
  readonly key: number;
  readonly value: number;
}
const OF_CUSTOMERS: Longest = { key: 20, value: 100 };
export const OF_INVOICES: Longest = { key: 20, value: 140 };

function codesOf(text: string | null | undefined, longest: number): string[] {
  if (text == null || text.trim() === '') return ['value_is_mandatory'];
  return [...text].length > longest ? ['value_is_too_long'] : [];
}

const faultAt = (place: number, name: string, code: string, hint: ErrorHint = {}) =>
  invalid({ [name]: [code] }, { [name]: { at: ['metadata', place], ...hint } });

/** What is checked of a pair. */
type Text = Pick<SentPair, 'key' | 'value'> | null | undefined;

function pairRefusals(pair: Text, place: number, earlier: readonly Text[], longest: Longest) {
  if (!pair) return []; // what is no object was refused for its form
  const { key, value } = pair;
  const isTaken = key != null && earlier.some((one) => one?.key === key);
  const codes = {
    key: [...codesOf(key, longest.key), ...(isTaken ? ['value_already_exist'] : [])],
    value: codesOf(value, longest.value),
  };
  return (['key', 'value'] as const).flatMap((name) =>
    codes[name].map((code) => {
      const isLong = code === 'value_is_too_long';
      return faultAt(place, name, code, isLong ? { limit: `at most ${longest[name]} characters` } : {});
    }),
  );
}

/**
 * All that is wrong with the pairs of a customer or an invoice, each in its place; undefined where nothing is. Source: engine-catalogue 4.3,
 * engine-money 2.15.
 */
export function metadataRefusal(sent: readonly Text[], longest: Longest = OF_CUSTOMERS): BillingError | undefined {
  const tooMany: ErrorDetails = { metadata: ['invalid_count'] };
  const count = sent.length > MOST_PAIRS ? [invalid(tooMany, { metadata: { limit: `at most ${MOST_PAIRS}` } })] : [];
  const all = [...count, ...sent.flatMap((pair, place) => pairRefusals(pair, place, sent.slice(0, place), longest))];
  return all.length > 0 ? joined(...all) : undefined;
}

/**
 * What is sent in place of what is stored: the list is the whole. A pair is the stored one of its identifier, else of its key, else
 * a new one. `[{key: a}]` of a customer that has `a` changes it; an identifier that is not there is none.
 */
export function pairsAfter<Stored extends StoredPair>(
  stored: readonly Stored[],
  sent: readonly SentPair[],
): (MetadataPair & { readonly before: Stored | undefined })[] {
  const named = new Map(sent.map((pair) => [pair, stored.find(({ id }) => id === pair.id)]));
  const taken = new Set([...named.values()].map((one) => one?.id));
  return sent.map((pair) => ({
    key: pair.key ?? '',
    value: pair.value ?? '',
    displayInInvoice: pair.displayInInvoice ?? false,
    before: named.get(pair) ?? stored.find(({ id, key }) => key === pair.key && !taken.has(id)),
  }));
}
