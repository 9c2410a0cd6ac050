import type { UsageSource } from '../../billing/aggregate/metric-usage.ts';
import { BillingError, type ErrorCode, type ErrorDetails, type ErrorHints } from '../../billing/errors.ts';
import type { CustomerAccount } from '../../billing/invoice/account.ts';
import { packed, unpacked } from '../../billing/money/packed.ts';
import type { Instant } from '../../billing/period/calendar.ts';
import { previewInvoice } from '../../billing/preview/preview.ts';
import type { Preview, PreviewCatalogue, PreviewRequest } from '../../billing/preview/preview-type.ts';
import { answeredUsage, type UsageAnswers } from '../../store/usage/stored-usage.ts';

/** What a preview is computed from. */
export interface PreviewTask {
  readonly request: PreviewRequest;
  readonly account: Omit<CustomerAccount, 'usage'>;
  readonly usage: UsageAnswers;
  readonly catalogue: Omit<PreviewCatalogue, 'customer' | 'subscriptions'>;
  readonly now: Instant;
}

/** Throws what `previewInvoice` throws. */
export function computePreview({ usage, ...task }: PreviewTask): Preview {
  return previewWith(task, answeredUsage(usage));
}

/** The preview with usage of any source. */
export function previewWith(
  { request, account, catalogue, now }: Omit<PreviewTask, 'usage'>,
  usage: UsageSource,
): Preview {
  return previewInvoice(request, { ...account, usage }, catalogue, now);
}

/** A preview, or what a rule said instead, as a thread answers it: errors lose their class on the way. */
export type PackedPreview =
  | { readonly preview: unknown }
  | {
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: ErrorDetails | undefined;
      readonly reason: string | undefined;
      readonly hints: ErrorHints | undefined;
    };

/** A task and its answer on their way to a thread and back. */
export const packedTask = (task: PreviewTask): unknown => packed(task);

export function answerPacked(task: unknown): PackedPreview {
  try {
    return { preview: packed(computePreview(unpacked<PreviewTask>(task))) };
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    const { code, message, details, reason, hints } = error;
    return { code, message, details, reason, hints };
  }
}

/** Throws what the rule threw. */
export function unpackedPreview(answer: PackedPreview): Preview {
  if ('preview' in answer) return unpacked<Preview>(answer.preview);
  throw new BillingError(answer.code, answer.message, answer.details, answer.reason, answer.hints);
}
