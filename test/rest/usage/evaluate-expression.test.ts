import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../support.ts';

let gateway: TestApp;
beforeAll(async () => {
  gateway = await createTestApp({ now: () => new Date('2026-06-15T10:00:00Z') });
});
afterAll(() => gateway.close());

const evaluate = (body: unknown, key?: string | null) =>
  gateway.rest('POST', '/billable_metrics/evaluate_expression', body, key === undefined ? {} : { key });

test.each([
  ['event.properties.a + event.properties.b', { code: 'c', properties: { a: '1', b: 2 } }, '3.0'],
  ['event.timestamp', { code: 'c', timestamp: '1767225600.9', properties: {} }, '1767225600.0'],
  ['event.timestamp', { code: 'c', properties: {} }, '1781517600.0'],
  ["concat(event.code, '!')", { code: 'c', properties: { timestamp: 'kept' } }, 'c!'],
  ['event.properties.timestamp', { code: 'c', properties: { timestamp: 'kept' } }, 'kept'],
])('%s of %j is %s', async (expression, event, value) => {
  const { status, body } = await evaluate({ expression, event });
  expect([status, body]).toEqual([200, { expression_result: { value } }]);
});

test.each([
  [{ event: { code: 'c', properties: {} } }, { expression: ['value_is_mandatory'] }],
  [{ expression: ' ', event: { code: 'c', properties: {} } }, { expression: ['value_is_mandatory'] }],
  [{ expression: '1 +', event: { code: 'c', properties: {} } }, { expression: ['invalid_expression'] }],
  [{ expression: '1' }, { event: ['invalid_event'] }],
  [{ expression: 'event.properties.a', event: { code: 'c', properties: {} } }, { event: ['invalid_event'] }],
  [{ expression: '1 / 0', event: { code: 'c', properties: {} } }, { event: ['invalid_event'] }],
  [{ expression: '1', event: { code: 'c', properties: [] } }, { event: ['invalid_event'] }],
  [{ expression: '1', event: { timestamp: 'soon', properties: {} } }, { timestamp: ['invalid_format'] }],
  [{ expression: '1'.repeat(5000), event: { properties: {} } }, { expression: ['value_is_too_long'] }],
])('%j is refused', async (body, details) => {
  expect(await evaluate(body)).toMatchObject({ status: 422, body: { error_details: details } });
});

test.each([
  ['1 / 0', { properties: {} }, 'event is invalid: Division by zero'],
  ['event.properties.a + 1', {}, 'event is invalid: Variable: a not found'],
  ['1', { properties: [] }, 'event is invalid: its properties are no object'],
  ['1', undefined, 'event is invalid: there is none'],
])('the graph says why %s of %j has no value', async (expression, event, message) => {
  const query =
    'query ($expression: String, $event: ExpressionEventInput) { evaluateExpression(expression: $expression, event: $event) { value } }';
  const { errors } = await gateway.graphql(query, { expression, event });
  expect(errors?.[0]?.extensions?.errors).toEqual([{ path: ['event'], code: 'invalid_event', message }]);
});

test('needs a body and a key', async () => {
  expect(await evaluate([])).toMatchObject({ status: 400 });
  expect(await evaluate({ expression: '1' }, null)).toMatchObject({ status: 401 });
  const key = await gateway.makeKey({ permissions: { billable_metric: ['read'] } });
  expect(await evaluate({ expression: '1', event: {} }, key)).toMatchObject({ status: 403 });
});
