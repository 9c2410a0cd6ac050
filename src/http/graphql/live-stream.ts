import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from 'graphql';
import { type Plugin, processRegularResult } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Caller, Context } from '../../graphql/context.ts';
import { type Authenticate, keyOf } from '../wire/authentication.ts';
import { exchangeOf, reportErrors } from '../wire/exchange.ts';
import { writeGraphJson } from '../wire/json.ts';
import { noteStream } from '../wire/stream.ts';
import type { ServerContext } from '../wire/target.ts';
import { UNAVAILABLE, wireError } from '../wire/wire-error.ts';
import { bindToInput } from './input-error.ts';

export interface LiveOptions {
  readonly authenticate: Authenticate;
  readonly contextOf: (caller: Caller, requestId: string, checksTypes: boolean, request: Request) => Context;
  readonly isUnavailable: (cause: unknown) => boolean;
  readonly logger: Logger;
}

type LiveArgs = ExecutionArgs & { readonly contextValue: { readonly request: Request } };

/** Why a stream ends, as its last event says. Afterwards the client reads anew what it follows, and subscribes again. */
const ENDINGS: Record<string, string> = {
  unauthorized: 'Unauthorized',
  [UNAVAILABLE]: 'Changes may have been missed: subscribe again',
  too_slow: 'Changes came faster than they were read: subscribe again',
};

const ending = (code: string) => ({ errors: [new GraphQLError(ENDINGS[code] ?? code, { extensions: { code } })] });

/** One event: executed with a context of its own, so that nothing that was read for an earlier one is shown again. */
async function eventOf(args: LiveArgs, change: unknown, options: LiveOptions): Promise<ExecutionResult | 'ended'> {
  const { request } = args.contextValue;
  const { requestId } = exchangeOf(request);
  const caller = await options.authenticate(keyOf(request) ?? '');
  if (!caller) return 'ended';
  const fresh = options.contextOf(caller, requestId, true, request);
  const contextValue = { ...args.contextValue, ...fresh };
  const { data, errors } = await execute({ ...args, rootValue: change, contextValue });
  if (!errors) return { data: data ?? null };
  const shown = errors.map((error) => bindToInput(wireError(error, options.isUnavailable), args));
  reportErrors(shown, requestId, options.logger);
  return { data: data ?? null, errors: shown };
}

/** What is no longer there, or not to be seen yet, is no event. */
const isNothing = ({ data, errors }: ExecutionResult) =>
  !errors && Object.values(data ?? {}).every((value) => value === null);

/** The events of a stream, one read at a time. Not a generator: its `return` would wait for the next change. */
class EventStream implements AsyncIterableIterator<ExecutionResult> {
  private ended = false;

  constructor(
    private readonly source: AsyncIterator<unknown>,
    private readonly args: LiveArgs,
    private readonly options: LiveOptions,
  ) {}

  async next(): Promise<IteratorResult<ExecutionResult>> {
    try {
      while (!this.ended) {
        const { value, done } = await this.source.next();
        if (done) break;
        const event = await eventOf(this.args, value, this.options);
        if (event === 'ended') return await this.last('unauthorized');
        if (!isNothing(event)) return { value: Object.assign(event, { stringify: writeGraphJson }), done: false };
      }
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (typeof code === 'string' && Object.hasOwn(ENDINGS, code)) return this.last(code);
      this.options.logger.error(
        { requestId: exchangeOf(this.args.contextValue.request).requestId, err: error },
        'stream',
      );
      return this.last(UNAVAILABLE);
    }
    return { value: undefined, done: true };
  }

  async return(): Promise<IteratorResult<ExecutionResult>> {
    this.ended = true;
    await this.source.return?.();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async last(code: string): Promise<IteratorResult<ExecutionResult>> {
    await this.return();
    return { value: ending(code), done: false };
  }
}

const notAcceptable = () =>
  new GraphQLError('None of the accepted types can hold the answer', {
    extensions: { code: 'bad_request', reason: 'not_acceptable', http: { status: 406 } },
  });

/** Live operations: the key is asked for again at every event, and a stream says why it ends. */
export function liveStreams(options: LiveOptions): Plugin {
  return {
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (execution: ExecutionArgs) => {
        const args = execution as LiveArgs;
        const source = await createSourceEventStream(args);
        if (!(Symbol.asyncIterator in source)) return source;
        const stream = new EventStream(source[Symbol.asyncIterator](), args, options);
        // A client can be gone before the answer is begun, and then nobody reads it to its end.
        const { signal } = args.contextValue.request;
        signal.addEventListener('abort', () => void stream.return(), { once: true });
        if (signal.aborted) await stream.return();
        return stream;
      });
    },
    onResponse({ response, serverContext }) {
      const { res } = serverContext as ServerContext;
      if (res && response.headers.get('content-type')?.startsWith('text/event-stream')) noteStream(res);
    },
    // Nobody would read a stream that the client does not accept, nor end it.
    async onResultProcess({ result, resultProcessor, setResult, setResultProcessor }) {
      if (resultProcessor) return;
      await (result as Partial<AsyncGenerator>).return?.(undefined);
      setResult({ errors: [notAcceptable()] });
      setResultProcessor(processRegularResult, 'application/json');
    },
  };
}
