import { Decimal } from '../money/decimal.ts';

/** What an expression is made of. Properties are named without `event.properties.`. */
export type Expression =
  | { readonly kind: 'number'; readonly value: Decimal }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'code' | 'timestamp' }
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'negative'; readonly of: Expression }
  | { readonly kind: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: FunctionName; readonly arguments: readonly Expression[] };

export type Operator = '+' | '-' | '*' | '/';

// By name, how many arguments a function takes at least and at most.
const FUNCTIONS = {
  concat: [1, Number.POSITIVE_INFINITY],
  round: [1, 2],
  ceil: [1, 2],
  floor: [1, 2],
  least: [1, Number.POSITIVE_INFINITY],
  greatest: [1, Number.POSITIVE_INFINITY],
} as const;

export type FunctionName = keyof typeof FUNCTIONS;

// Longer ones nobody writes by hand.
const LONGEST_EXPRESSION = 4096;

// Each level is a few calls deep.
const MOST_LEVELS = 100;

// Only the blank separates. Digits have neither sign nor exponent, texts no escapes.
const TOKEN = / *(?:(\d+(?:\.\d+)?)|'([^']*)'|([A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*)|([-+*/(),])) */y;

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign';
  readonly text: string;
}

/** A text that is no expression. */
class NoExpression extends Error {
  override readonly name = 'NoExpression';
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const [whole, number, text, name, sign] = TOKEN.exec(source) ?? [];
    if (whole === undefined) throw new NoExpression();
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (text !== undefined) tokens.push({ kind: 'text', text });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else tokens.push({ kind: 'sign', text: sign ?? '' });
  }
  return tokens;
}

/** A function is named in small letters, in capitals or with a capital. */
function functionOf(name: string): FunctionName | undefined {
  const small = name.toLowerCase();
  const capitalised = small.charAt(0).toUpperCase() + small.slice(1);
  const isWritten = [small, small.toUpperCase(), capitalised].includes(name);
  return isWritten && Object.hasOwn(FUNCTIONS, small) ? (small as FunctionName) : undefined;
}

/** Reads by descent, an operator's level a method. */
class Reader {
  private at = 0;
  private level = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Expression {
    const expression = this.sum();
    if (this.at < this.tokens.length) throw new NoExpression();
    return expression;
  }

  private takes(...signs: readonly string[]): string | undefined {
    const token = this.tokens[this.at];
    if (token?.kind !== 'sign' || !signs.includes(token.text)) return undefined;
    this.at += 1;
    return token.text;
  }

  private needs(sign: string): void {
    if (this.takes(sign) === undefined) throw new NoExpression();
  }

  private sum(): Expression {
    return this.operation(['+', '-'], () => this.product());
  }

  private product(): Expression {
    return this.operation(['*', '/'], () => this.signed());
  }

  // What is computed in a row stands to the left, as deep as the row is long.
  private operation(operators: readonly Operator[], operand: () => Expression): Expression {
    const from = this.level;
    let left = operand();
    for (let sign = this.takes(...operators); sign !== undefined; sign = this.takes(...operators)) {
      this.deeper();
      left = { kind: sign as Operator, left, right: operand() };
    }
    this.level = from;
    return left;
  }

  private signed(): Expression {
    return this.takes('-') === undefined
      ? this.operand()
      : this.within(() => ({ kind: 'negative', of: this.signed() }));
  }

  private deeper(): void {
    this.level += 1;
    if (this.level > MOST_LEVELS) throw new NoExpression();
  }

  private within<T>(read: () => T): T {
    this.deeper();
    const value = read();
    this.level -= 1;
    return value;
  }

  private operand(): Expression {
    if (this.takes('(') !== undefined) {
      const inner = this.within(() => this.sum());
      this.needs(')');
      return inner;
    }
    const token = this.tokens[this.at];
    this.at += 1;
    if (token?.kind === 'number') return { kind: 'number', value: new Decimal(token.text) };
    if (token?.kind === 'text') return { kind: 'text', value: token.text };
    if (token?.kind === 'name') return this.named(token.text);
    throw new NoExpression();
  }

  private named(name: string): Expression {
    if (name === 'event.timestamp') return { kind: 'timestamp' };
    if (name === 'event.code') return { kind: 'code' };
    const [, property] = /^event\.properties\.(\w+)$/.exec(name) ?? [];
    if (property !== undefined) return { kind: 'property', name: property };
    const kind = functionOf(name);
    if (!kind) throw new NoExpression();
    this.needs('(');
    const given = this.within(() => this.list());
    this.needs(')');
    const [least, most] = FUNCTIONS[kind];
    if (given.length < least || given.length > most) throw new NoExpression();
    return { kind, arguments: given };
  }

  private list(): Expression[] {
    const given = [this.sum()];
    while (this.takes(',') !== undefined) given.push(this.sum());
    return given;
  }
}

/**
 * Reads the expression of a metric. Undefined for a text that is none: of another grammar, longer than 4096 characters or of
 * more than 100 levels.
 */
export function readExpression(source: string): Expression | undefined {
  if (source.length > LONGEST_EXPRESSION) return undefined;
  try {
    return new Reader(tokensOf(source)).whole();
  } catch (error) {
    if (error instanceof NoExpression) return undefined;
    throw error;
  }
}
