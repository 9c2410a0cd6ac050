import {
  type Context,
  context,
  ProxyTracerProvider,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { exchangeOf } from '../wire/exchange.ts';
import { type Activity, currentActivity, placeOf, type Statement, withActivity } from './activity.ts';

const NAME = 'billing-gateway';

/** Whether an OpenTelemetry SDK has been loaded; without one nothing is traced and nothing is paid for it. */
export function isTraced(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(NAME) !== undefined;
}

const traceOf = (activity: Activity | undefined) => activity?.trace as Context | undefined;

/** Spans of requests, of the operations in them and of their SQL statements, for the SDK that the operator loads. */
export class Tracing {
  private readonly tracer = trace.getTracer(NAME);

  /** Runs a request inside its span: part of the caller's trace, or of the span that an instrumentation has begun. */
  around<T>(method: string, headers: Record<string, string | string[] | undefined>, run: () => T): T {
    const active = context.active();
    const inner = trace.getSpan(active) !== undefined;
    const parent = inner ? active : propagation.extract(active, headers);
    const kind = inner ? SpanKind.INTERNAL : SpanKind.SERVER;
    const within = trace.setSpan(parent, this.tracer.startSpan(method, { kind }, parent));
    return withActivity({ trace: within }, () => context.with(within, run));
  }

  plugin(): Plugin {
    const spans = new WeakMap<Request, Context>();
    return {
      onRequest: ({ request }) => {
        const within = traceOf(currentActivity());
        if (within) spans.set(request, within);
      },
      onResponse: ({ request, response, serverContext }) => {
        const within = spans.get(request);
        const span = within && trace.getSpan(within);
        if (!span) return;
        const { door, route } = placeOf(request, serverContext);
        const { operation, requestId } = exchangeOf(request);
        span.updateName(`${request.method} ${route}`);
        span.setAttributes({ 'http.request.method': request.method, 'http.route': route, 'billing.door': door });
        span.setAttributes({ 'http.response.status_code': response.status, 'billing.request_id': requestId });
        if (operation) span.setAttribute('billing.operation', operation);
        if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
      onExecute: ({ args }) => this.operation(args),
    };
  }

  /** A span of a statement, begun when the statement was; only within a request. */
  readonly onStatement = ({ sql, milliseconds }: Statement): void => {
    const within = traceOf(currentActivity());
    if (!within) return;
    const name = /[a-z]+/i.exec(sql)?.[0] ?? 'SQL';
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql };
    const startTime = Date.now() - milliseconds;
    this.tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes }, within).end();
  };

  private operation(args: Parameters<NonNullable<Plugin['onExecute']>>[0]['args']) {
    const activity = currentActivity();
    const within = traceOf(activity);
    const operation = getOperationAST(args.document, args.operationName);
    if (!activity || !within || !operation) return undefined;
    const name = operation.name?.value ?? 'anonymous';
    const attributes = { 'graphql.operation.type': operation.operation, 'graphql.operation.name': name };
    const span = this.tracer.startSpan(`${operation.operation} ${name}`, { attributes }, within);
    activity.trace = trace.setSpan(within, span);
    return {
      onExecuteDone: ({ result }: { result: unknown }) => {
        const { errors = [] } = result as { errors?: readonly unknown[] };
        if (errors.length > 0) span.setStatus({ code: SpanStatusCode.ERROR });
        activity.trace = within;
        span.end();
      },
    };
  }
}
