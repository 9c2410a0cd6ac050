import { tryExpression } from '../../billing/usage/expression.ts';
import { builder } from '../base/builder.ts';
import type { Permission } from '../context.ts';

const ExpressionEventInput = builder.inputType('ExpressionEventInput', {
  description: 'What an expression sees of an event.',
  fields: (t) => ({
    code: t.string({ description: 'Code of the billable metric; an empty text without it.' }),
    timestamp: t.field({ type: 'PreciseDateTime', description: 'When the usage happened; now without it.' }),
    properties: t.field({ type: 'JSON', description: 'An object of values of any shape.' }),
  }),
});

const ExpressionResult = builder.objectRef<{ readonly value: string }>('ExpressionResult').implement({
  description: 'What an expression comes to.',
  fields: (t) => ({
    value: t.exposeString('value', {
      description: 'What would be written into the property of the metric: digits in plain notation, or a text.',
    }),
  }),
});

builder.queryField('evaluateExpression', (t) =>
  t.field({
    type: ExpressionResult,
    nullable: true,
    description: 'Tries the expression of a billable metric with an event. Nothing is stored.',
    args: {
      expression: t.arg.string({
        description: 'The expression, for example `round(event.properties.seconds / 60, 2)`.',
      }),
      event: t.arg({
        type: ExpressionEventInput,
        description: 'The event. Without one nothing is computed, whatever the expression.',
      }),
    },
    extensions: { permission: 'billable_metric:read' satisfies Permission },
    resolve: (_root, { expression, event }, { now }) => ({
      value: tryExpression(expression, event && { ...event, timestamp: event.timestamp ?? now }),
    }),
  }),
);
