import { GraphQLError, Lexer, parse, print, Source, TokenKind } from 'graphql';
import { expect, it } from 'vitest';
import { withoutComments } from '../../../src/http/wire/comment.ts';

/** Kind, value and place of every token but comments, as the language's own lexer reads them; where it stops, as far as it came. */
function tokensOf(text: string) {
  const lexer = new Lexer(new Source(text));
  const tokens: unknown[] = [];
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance())
      tokens.push([token.kind, token.value, token.start, token.end, token.line, token.column]);
  } catch (error) {
    tokens.push(error instanceof GraphQLError ? [error.message, error.locations] : error);
  }
  return tokens;
}

it.each([
  ['{ a } # b', '{ a }    '],
  ['#\n{ a(b: "#c") #"\n}', ' \n{ a(b: "#c")   \n}'],
  ['{ a(b: """#c""") } # d', '{ a(b: """#c""") }    '],
  ['{ a(b: """#\\"""#""") }#', '{ a(b: """#\\"""#""") } '],
  ['{ a(b: "\\"#") }#\r\n#', '{ a(b: "\\"#") } \r\n '],
  ['{ a(b: "\\\\") }# "', '{ a(b: "\\\\") }   '],
  ['{ a(b: """ # ', '{ a(b: """ # '],
  ['{ a(b: "c # \n# d', '{ a(b: "c # \n   '],
])('of %j spaces stand for the comments', (text, expected) => {
  expect(withoutComments(text)).toBe(expected);
});

it('of any text the tokens stay as they are, in their places', () => {
  const pieces = ['{', 'a', '"', '"""', '\\"', '\\', '#', '# "', '\n', '\r\n', ' ', ':', '""', '\\"""', 'é', '4'];
  let state = 7;
  const draw = (most: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
  for (let times = 0; times < 20_000; times += 1) {
    const text = Array.from({ length: 1 + draw(14) }, () => pieces[draw(pieces.length)]).join('');
    const cleaned = withoutComments(text);
    expect([cleaned.length, tokensOf(cleaned)]).toEqual([text.length, tokensOf(text)]);
  }
});

it('a document of nothing but comments has no tokens that are kept', () => {
  const text = `{ a }${'#\n'.repeat(50_000)}`;
  expect(print(parse(withoutComments(text), { maxTokens: 3 }))).toBe('{\n  a\n}');
  let tokens = 0;
  for (let token = parse(withoutComments(text)).loc?.startToken; token; token = token.next ?? undefined) tokens += 1;
  expect(tokens).toBe(5);
});
