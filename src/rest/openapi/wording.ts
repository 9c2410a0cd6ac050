// What REST says or does otherwise than GraphQL: members that cannot change are left alone, and unknown codes of a list are refused.
const SENTENCES: readonly (readonly [graph: string, rest: string])[] = [
  ['Another value is refused once the plan has had a subscription.', 'Ignored once the plan has had a subscription.'],
  ['It never changes: another value is refused.', 'Ignored: it never changes.'],
  [
    'A charge keeps its pricing unit, or keeps having none: another code is refused.',
    'Ignored: a charge keeps its pricing unit, or keeps having none.',
  ],
  ['refused where the charge has no unit.', 'ignored where the charge has no unit.'],
  ['Identifier assigned by the service; REST calls it `svc_id`.', 'Identifier assigned by the service.'],
  [
    'The units as a JSON number, as the REST interface shows them; `units` is exact.',
    'Number of units of a new subscription.',
  ],
  [
    'The previous value as a JSON number, as the REST interface shows it; `previousValue` is exact.',
    'The value when it was looked at last.',
  ],
  [' The document shows the customer and the fees: in GraphQL, it is for keys that may read these too.', ''],
  ['that had it before.', 'that had it before. Unknown ones are an error.'],
  ['When the usage happened, at most a year ahead;', 'When the usage happened, in Unix seconds, at most a year ahead;'],
  ['When the usage happened; now without it.', 'When the usage happened, in Unix seconds; now without it.'],
  ['; `filter` takes several.', '.'],
  ['The first moment; null for no beginning.', 'This is the first moment.'],
  ['The last moment of the range; null for no end but that of `to`.', 'This is the last moment.'],
  ['The first date; null for no beginning.', 'This is the first date.'],
  ['The last date; null for no end.', 'This is the last date.'],
  ['The least amount; null for no bound.', 'This is the least amount.'],
  ['The greatest amount; null for no bound.', 'This is the greatest amount.'],
];

/** What is said of a parameter wherever it is taken. */
export const OF_PARAMETERS: Readonly<Record<string, string>> = {
  'billing_entity_codes[]': 'Unknown codes are an error.',
};

/** A description of the graph in the words of REST. */
export const restWording = (text: string): string =>
  SENTENCES.reduce((read, [graph, rest]) => read.replace(graph, rest), text);
