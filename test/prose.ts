// What a description must not be: the marks of texts that a program put together, or that nobody read.
const FAULTS: readonly (readonly [fault: string, mark: RegExp])[] = [
  ['does not begin with a capital', /^[^A-Z`]/],
  ['does not end with a full stop', /[^.?!)]$/],
  ['says a word twice', /(?<![-\w])([a-z]+) \1(?![-\w])/i],
  ['has a colon after a preposition', /\b(of|with|by|in): /],
  ['has an article that does not fit', /\b(a [aeio]|an [bcdfgjklmnpqrtvwxyz])/i],
  ['calls things by the name of a type', /\b(?!GraphQL|JavaScript|OpenAPI|PostgreSQL)[A-Z][a-z]+[A-Z]\w+ objects?\b/],
  ['has two spaces or no space after a full stop', / {2}|[a-z]{2}\.[A-Z]/],
  ['has a value of the language', /\b(undefined|NaN|\[object)\b/],
  ['speaks of a text that its readers do not have', /specification/],
];

/** What is wrong with descriptions, by their places. */
export const proseFaults = (described: Iterable<readonly [place: string, description: string]>): string[] =>
  [...described].flatMap(([place, description]) =>
    FAULTS.filter(([, mark]) => mark.test(description.trim())).map(([fault]) => `${place} ${fault}: ${description}`),
  );
