import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { answerIsLost, invalid, requestIsRunning } from '../../billing/errors.ts';
import { parseJson, writeJson } from './json.ts';

/** Names a write, so that it is done once however often it is sent. */
const HEADER = 'idempotency-key';
const REPLAYED = 'Idempotency-Replayed';
const LONGEST_KEY = 255;
// An answer of more is not kept: who tries again is told that it is lost, and nothing is written twice.
const MOST_KEPT = 1_000_000;

interface Named {
  readonly organizationId: string;
  readonly key: string;
  readonly fingerprint: string;
}

interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

type Claim =
  | { readonly state: 'new'; readonly attempt: string }
  | { readonly state: 'answered'; readonly answer: KeptAnswer }
  | { readonly state: 'running' }
  | { readonly state: 'unanswered' }
  | { readonly state: 'different' };

/** Where names of writes and their answers are kept, for every process alike. */
export interface IdempotencyKeys {
  claim(named: Named): Promise<Claim>;
  keep(named: Named, attempt: string, answer: KeptAnswer): Promise<void>;
  release(named: Named, attempt: string): Promise<void>;
}

/** The name that a client gave its write; undefined without one. Throws a validation error for what is no name. */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get(HEADER);
  if (key === null) return undefined;
  if (key.length > LONGEST_KEY) throw invalid({ idempotency_key: ['value_is_too_long'] });
  if (!/^[\x20-\x7e]+$/.test(key)) throw invalid({ idempotency_key: ['value_is_invalid'] });
  return key;
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value).sort()) members[name] = sorted((value as Record<string, unknown>)[name]);
  return members;
}

/** The same for JSON texts that say the same; any other text is itself. */
export function canonicalJson(text: string): unknown {
  try {
    return sorted(parseJson(text));
  } catch {
    return text;
  }
}

/** What tells one request from another, in hexadecimal. */
export const fingerprintOf = (...parts: unknown[]): string =>
  createHash('sha256')
    .update(writeJson(sorted(parts)))
    .digest('hex');

/** A name that this attempt holds until it is answered. */
export interface Attempt {
  /** What the write says is done, in its own transaction. */
  readonly named: { readonly key: string; readonly attempt: string };
  /** The answer is kept. Never fails: the write is done, only its repetition is not known. */
  keep(answer: KeptAnswer): Promise<void>;
  /** Nothing was done; where something was, the name is kept nevertheless. */
  release(): Promise<void>;
}

function attemptOf(keys: IdempotencyKeys, named: Named, attempt: string, logger: Logger): Attempt {
  const settle = (step: Promise<void>) =>
    step.catch((err) => logger.error({ err, key: named.key }, 'an idempotency key could not be settled'));
  return {
    named: { key: named.key, attempt },
    keep: (answer) => settle(answer.body.length > MOST_KEPT ? Promise.resolve() : keys.keep(named, attempt, answer)),
    release: () => settle(keys.release(named, attempt)),
  };
}

/**
 * Takes the name of a write, or finds the answer it was given. Throws a conflict while another attempt runs or when its
 * answer is lost, and a validation error when the name was used for another request.
 */
export async function begin(keys: IdempotencyKeys, named: Named, logger: Logger): Promise<Attempt | KeptAnswer> {
  const claim = await keys.claim(named);
  if (claim.state === 'answered') return claim.answer;
  if (claim.state === 'new') return attemptOf(keys, named, claim.attempt, logger);
  if (claim.state === 'different') throw invalid({ idempotency_key: ['value_already_exist'] });
  throw claim.state === 'running' ? requestIsRunning() : answerIsLost();
}

export const markReplayed = (response: Response): void => response.headers.set(REPLAYED, 'true');
