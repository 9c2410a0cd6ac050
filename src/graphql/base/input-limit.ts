import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** How much one input holds at most. */
export interface InputLimit {
  /** Characters of a text, and of every text in a JSON value. */
  readonly longest?: number;
  /** Values of a list, and of every list or object in a JSON value. */
  readonly mostItems?: number;
}

/** By the scalar: identifiers and codes are short, and so is what means more than a text. Others read a few characters and refuse the rest. */
const LONGEST_OF: Readonly<Record<string, number>> = { String: 255, ID: 255, UUID: 255, JSON: 1000 };
const LONGEST_TEXT = 255;

const longestOf = (type: GraphQLNamedType) => (type.extensions.isText ? LONGEST_TEXT : LONGEST_OF[type.name]);

/** By the name of an argument or a member; this and the table above are all there is. */
const LONGEST: Readonly<Record<string, number>> = {
  search: 100, // as long as the database keeps a word
  after: 10_000, // a place holds what the list is ordered by
  before: 10_000,
  expression: 4096,
  name: 1000,
  description: 1000,
  details: 10_000, // paragraphs that invoices print
  invoiceDisplayName: 1000,
  addressLine1: 1000,
  addressLine2: 1000,
  documentNumberPrefix: 10,
  invoiceFooter: 600,
  logo: 1_066_700, // 800 kB in base64, after what says so
};

const MOST_ITEMS = 1000;
const MOST: Readonly<Record<string, number>> = {
  ids: 100, // of `nodes`: as many as a page holds
  coupons: 100,
  integrationCustomers: 100,
  externalIds: 100,
};

type Input = GraphQLArgument | GraphQLInputField;

const isList = ({ type }: Input) => isListType(isNonNullType(type) ? type.ofType : type);

function limitOf(input: Input): InputLimit {
  const type = getNamedType(input.type);
  const usual = longestOf(type);
  const longest = usual === undefined ? undefined : (LONGEST[input.name] ?? usual);
  const mostItems = isList(input) || type.name === 'JSON' ? (MOST[input.name] ?? MOST_ITEMS) : undefined;
  return { ...(longest !== undefined && { longest }), ...(mostItems !== undefined && { mostItems }) };
}

function described(input: Input, { longest, mostItems }: InputLimit): string {
  const items = mostItems !== undefined && `${mostItems} values`;
  const characters = longest !== undefined && `${longest} characters`;
  if (getNamedType(input.type).name === 'JSON')
    return `No text in it has more than ${characters}, no list or object more than ${items}.`;
  if (items && characters) return `At most ${items} of ${characters} each.`;
  return `At most ${items || characters}.`;
}

function limit(input: Input): void {
  const found = limitOf(input);
  if (Object.keys(found).length === 0) return;
  input.extensions = { ...input.extensions, limit: found };
  input.description = [input.description, described(input, found)].filter(Boolean).join(' ');
}

/** Every argument of the schema and every member of its input types. */
export function* inputsOf(schema: GraphQLSchema): Iterable<readonly [place: string, input: Input]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) yield [`${type.name}.${field.name}`, field];
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      for (const arg of field.args) yield [`${type.name}.${field.name}(${arg.name})`, arg];
    }
  }
}

/** Gives every text and every list of every input its limit, which whoever reads requests holds it to, and tells it in the description. */
export function limitInputs(schema: GraphQLSchema): GraphQLSchema {
  const done = new Set<Input>();
  for (const [, input] of inputsOf(schema)) {
    if (!done.has(input)) limit(input);
    done.add(input);
  }
  return schema;
}
