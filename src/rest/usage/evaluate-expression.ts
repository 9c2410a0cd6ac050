import { document } from '../document.ts';
import type { Route } from '../route.ts';

export const evaluateExpression: Route = {
  method: 'POST',
  path: '/billable_metrics/evaluate_expression',
  permission: 'billable_metric:write',
  operation: 'evaluateBillableMetricExpression',
  document: document(
    `query evaluateBillableMetricExpression($expression: String, $event: ExpressionEventInput) {
      expression_result: evaluateExpression(expression: $expression, event: $event) { value }
    }`,
  ),
  body: true,
  unixTime: 'event.timestamp',
  formFaults: { timestamp: 'invalid_format' },
  variables: ({ body }) => {
    const { expression, event } = body as { expression?: unknown; event?: unknown };
    return { expression, event };
  },
};
