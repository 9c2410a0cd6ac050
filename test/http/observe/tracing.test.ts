import {
  type Context,
  context,
  propagation,
  type Span,
  type SpanContext,
  type SpanOptions,
  trace,
} from '@opentelemetry/api';
import { afterAll, expect, it } from 'vitest';
import { isTraced } from '../../../src/http/observe/tracing.ts';
import { createTestApp } from '../../support.ts';

interface Recorded {
  name: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly attributes: Record<string, unknown>;
  readonly startTime: unknown;
  ended: boolean;
}

const spans: Recorded[] = [];

/** As much of an SDK as records what it is given. */
function startSpan(name: string, options: SpanOptions = {}, parent: Context = context.active()): Span {
  const id = String(spans.length + 1).padStart(16, '0');
  const recorded: Recorded = {
    name,
    id,
    parent: trace.getSpanContext(parent)?.spanId,
    attributes: { ...options.attributes },
    startTime: options.startTime,
    ended: false,
  };
  spans.push(recorded);
  const spanContext: SpanContext = { traceId: '1'.repeat(32), spanId: id, traceFlags: 1 };
  const span = {
    spanContext: () => spanContext,
    setAttribute: (key: string, value: unknown) => span.setAttributes({ [key]: value }),
    setAttributes: (attributes: object) => {
      Object.assign(recorded.attributes, attributes);
      return span as never;
    },
    setStatus: () => span as never,
    updateName: (given: string) => {
      recorded.name = given;
      return span as never;
    },
    end: () => {
      recorded.ended = true;
    },
    isRecording: () => true,
  };
  return span as unknown as Span;
}

afterAll(() => {
  trace.disable();
  propagation.disable();
});

it('nothing is traced unless an SDK is loaded; then requests, operations and statements are, as parts of each other', async () => {
  expect(isTraced()).toBe(false);
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as never });
  propagation.setGlobalPropagator({
    inject: () => undefined,
    extract: (given, carrier, getter) =>
      getter.get(carrier, 'traceparent')
        ? trace.setSpanContext(given, {
            traceId: '1'.repeat(32),
            spanId: 'f'.repeat(16),
            traceFlags: 1,
            isRemote: true,
          })
        : given,
    fields: () => ['traceparent'],
  });
  expect(isTraced()).toBe(true);
  const test = await createTestApp();
  await test.graphql('query Traced { plan(code: "secret") { name } }');
  const headers = { traceparent: `00-${'1'.repeat(32)}-${'f'.repeat(16)}-01` };
  await test.rest('GET', '/customers/nobody/payment_requests', undefined, { headers });
  await new Promise((resolve) => setTimeout(resolve, 10));
  await test.close();

  const one = (name: string) => spans.filter((span) => span.name === name);
  const [request] = one('POST /graphql');
  expect(request?.parent).toBeUndefined();
  expect(request?.attributes).toMatchObject({
    'http.response.status_code': 200,
    'billing.operation': 'Traced',
    'billing.door': 'graphql',
  });
  const [operation] = one('query Traced');
  expect(operation?.parent).toBe(request?.id);
  const statements = spans.filter(({ attributes }) => /"plans"/.test(String(attributes['db.query.text'])));
  expect(statements.map(({ parent }) => parent)).toEqual([operation?.id]);
  const [rest] = one('GET listCustomerPaymentRequests');
  expect(rest?.parent).toBe('f'.repeat(16));
  expect(rest?.attributes['http.response.status_code']).toBe(404);
  expect(spans.every(({ ended }) => ended)).toBe(true);
  expect(JSON.stringify(spans)).not.toMatch(/secret|nobody/);
});
