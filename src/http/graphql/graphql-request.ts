import { GraphQLError, Lexer, Source, type Token, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { withoutComments } from '../wire/comment.ts';
import { jsonResponse } from '../wire/response.ts';

/** Brackets within brackets. The parser and the rules of validation call themselves for each: no stack is endless. */
const MAX_NESTING = 200;

const OPENING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

// `spec`: 400 where GraphQL's own media type is accepted, 200 where only JSON is, as for every fault of a document.
const tooDeep = () =>
  new GraphQLError('The document is nested too deeply.', {
    extensions: { code: 'bad_request', http: { status: 400, spec: true } },
  });

/** The next token; none at what is no token of the language, which the parser refuses when it comes there. */
function advance(lexer: Lexer): Token | undefined {
  try {
    return lexer.advance();
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** Throws where a document is nested more deeply than any that is meant. */
function checkNesting(text: string): void {
  const lexer = new Lexer(new Source(withoutComments(text)));
  let nesting = 0;
  for (let token = advance(lexer); token && token.kind !== TokenKind.EOF; token = advance(lexer)) {
    if (OPENING.has(token.kind)) nesting += 1;
    else if (CLOSING.has(token.kind)) nesting -= 1;
    if (nesting > MAX_NESTING) throw tooDeep();
  }
}

const MOST_CHECKED = 1000;
const LONGEST_CHECKED = 10_000; // what is kept is at most ten megabytes

/** The same once a text: clients send the same documents again and again. */
function nestingChecker() {
  const checked = new Set<string>();
  return (text: string) => {
    if (checked.has(text)) return;
    checkNesting(text);
    if (checked.size >= MOST_CHECKED) checked.clear();
    if (text.length <= LONGEST_CHECKED) checked.add(text);
  };
}

const ANSWERED = ['text/event-stream', 'multipart/mixed', 'application/graphql-response+json', 'application/json'];

/** Whether one of the types that Yoga answers with is asked for, by the measure with which it chooses one. */
function accepts(request: Request): boolean {
  const entries = (request.headers.get('accept') || '*/*').replace(/\s/g, '').toLowerCase().split(',');
  return entries.some((entry) => {
    const [asked = '', ...params] = entry.split(';');
    const charset = params.find((param) => param.includes('charset=')) ?? 'charset=utf-8';
    const [type, subtype] = asked.split('/');
    const matches = (answered: string) => {
      const [own, ownSubtype] = answered.split('/');
      return (type === '*' || type === own) && (subtype === '*' || subtype === ownSubtype);
    };
    return charset === 'charset=utf-8' && ANSWERED.some(matches);
  });
}

const refusal = (status: number, message: string, code: string) =>
  jsonResponse(status, { errors: [{ message, extensions: { code } }] });

/**
 * Refuses GraphQL requests that could not be answered before anything of them is executed. Yoga executes first and finds
 * afterwards that it has no answer of the type asked for: a mutation would have happened although its client was told 406.
 */
export function refusingRequests(): Plugin {
  const check = nestingChecker();
  return {
    onRequestParse({ request, requestParser, endResponse }) {
      if (!requestParser) endResponse(refusal(415, 'Unsupported media type', 'unsupported_media_type'));
      else if (!accepts(request)) endResponse(refusal(406, 'Not acceptable', 'not_acceptable'));
    },
    onParse({ params }) {
      check(String(params.source));
    },
  };
}
