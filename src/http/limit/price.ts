import { type FieldNode, Kind, type ValueNode } from 'graphql';

/** As they were sent. */
export type Variables = Readonly<Record<string, unknown>>;

/** What something costs: a number, or how it is reckoned once the variables are known. */
export type Price = number | ((variables: Variables) => number);

export const priceFor = (price: Price, variables: Variables): number =>
  typeof price === 'number' ? price : price(variables);

export function sumOf(prices: readonly Price[]): Price {
  const fixed = prices.reduce<number>((sum, one) => (typeof one === 'number' ? sum + one : sum), 0);
  const others = prices.filter((one) => typeof one !== 'number');
  return others.length === 0 ? fixed : (variables) => others.reduce((sum, one) => sum + one(variables), fixed);
}

export const productOf = (one: Price, other: Price): Price =>
  typeof one === 'number' && typeof other === 'number'
    ? one * other
    : (variables) => priceFor(one, variables) * priceFor(other, variables);

/** Reckoned once for the same variables, however often it is a part of another price. */
export function reckonedOnce(price: Price): Price {
  if (typeof price === 'number') return price;
  const known = new WeakMap<Variables, number>();
  return (variables) => {
    const reckoned = known.get(variables) ?? price(variables);
    known.set(variables, reckoned);
    return reckoned;
  };
}

function mentionsVariables(node: ValueNode): boolean {
  if (node.kind === Kind.OBJECT) return node.fields.some(({ value }) => mentionsVariables(value));
  return node.kind === Kind.LIST ? node.values.some(mentionsVariables) : node.kind === Kind.VARIABLE;
}

/** What is reckoned from the arguments of a field: once, where they are the same for all variables. */
export const fromArguments = ({ arguments: given = [] }: FieldNode, reckon: (variables: Variables) => number): Price =>
  given.some(({ value }) => mentionsVariables(value)) ? reckon : reckon({});
