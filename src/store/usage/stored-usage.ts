import type {
  AdvanceAsked,
  AdvanceUsage,
  MetricUsage,
  UsageAsked,
  UsageGroup,
  UsageSource,
} from '../../billing/aggregate/metric-usage.ts';
import { usageOfEvents } from '../../billing/aggregate/usage-source.ts';
import type { Metric, UsageReader, UsageReading } from './event-store.ts';
import { eventStoreOf } from './kept-events.ts';

/** Stored usage, as far as rules asked about it: plain values, for any thread. */
export interface UsageAnswers {
  /** What is stored is asked about under these; nothing is of any other. */
  readonly externalSubscriptionIds: readonly string[];
  readonly groups: Record<string, readonly UsageGroup[]>;
  readonly advances: Record<string, AdvanceUsage>;
}

export const NO_USAGE: UsageAnswers = { externalSubscriptionIds: [], groups: {}, advances: {} };

/** Reads the usage of an organization from where its events are kept. */
export function storedReading(reader: UsageReader, organizationId: string): UsageReading {
  if (!reader.prisma) throw new Error('nothing says where events are kept');
  return eventStoreOf(reader.prisma).reading(reader, organizationId);
}

// Within one computation the same events are supposed of a metric, up to the same moment.
const askedKey = (metric: Metric, { charge, period, until }: UsageAsked | AdvanceAsked) => {
  const { id, metric: billable, payInAdvance, prorated, properties } = charge;
  const price = [id, billable.aggregation, billable.fieldName, payInAdvance, prorated, properties.pricing_group_keys];
  return [metric, price, period.from, period.to, period.usedTo, until];
};
const groupsKey = (metric: Metric, asked: UsageAsked) =>
  JSON.stringify([askedKey(metric, asked), asked.levelFrom, asked.withAdvance]);
const advanceKey = (metric: Metric, asked: AdvanceAsked) =>
  JSON.stringify([askedKey(metric, asked), asked.event.timestamp, asked.event.transactionId]);

const NOTHING = usageOfEvents([]);

/** Answers what is known; `unknown` answers the rest. */
function sourceOf(answers: UsageAnswers, unknown: (metric: Metric) => MetricUsage): UsageSource {
  const isStored = new Set(answers.externalSubscriptionIds);
  return {
    of: (...metric) =>
      isStored.has(metric[0])
        ? {
            groups: (asked) => answers.groups[groupsKey(metric, asked)] ?? unknown(metric).groups(asked),
            advance: (asked) => answers.advances[advanceKey(metric, asked)] ?? unknown(metric).advance(asked),
          }
        : NOTHING,
  };
}

const NEVER: MetricUsage = {
  groups: () => {
    throw new Error('usage that was not asked for');
  },
  advance: () => {
    throw new Error('usage that was not asked for');
  },
};

/** Usage that nobody asked about: it throws. */
export const UNASKED_USAGE: UsageSource = { of: () => NEVER };

/** Stored usage for rules: what they asked about before. Throws for anything else. */
export const answeredUsage = (answers: UsageAnswers): UsageSource => sourceOf(answers, () => NEVER);

/** Usage that rules asked about and that was not known. */
export interface UsageQuestions {
  readonly groups: Map<string, [Metric, UsageAsked]>;
  readonly advances: Map<string, [Metric, AdvanceAsked]>;
}

export const noQuestions = (): UsageQuestions => ({ groups: new Map(), advances: new Map() });

/** Answers what is not known yet as if nothing had been used, and notes it. */
export function notingUsage(answers: UsageAnswers, { groups, advances }: UsageQuestions): UsageSource {
  return sourceOf(answers, (metric) => ({
    groups: (asked) => {
      groups.set(groupsKey(metric, asked), [metric, asked]);
      return NOTHING.groups({ ...asked, supposed: [] });
    },
    advance: (asked) => {
      advances.set(advanceKey(metric, asked), [metric, asked]);
      return NOTHING.advance({ ...asked, supposed: [] });
    },
  }));
}

/** Reads what was asked, beside what is known. */
export async function answersTo(
  reading: UsageReading,
  known: UsageAnswers,
  { groups, advances }: UsageQuestions,
): Promise<UsageAnswers> {
  const answers = { ...known, groups: { ...known.groups }, advances: { ...known.advances } };
  await Promise.all(
    [...groups].map(async ([key, question]) => {
      answers.groups[key] = await reading.groups(...question);
    }),
  );
  for (const [key, question] of advances) answers.advances[key] = await reading.advance(...question);
  return answers;
}

// Which questions there are depends on usage only where one answer leads to the next: a threshold, a commitment.
const MOST_ROUNDS = 10;

interface Asked<T> {
  readonly answers: UsageAnswers;
  /** What `ask` comes to with these answers, or throws. */
  readonly outcome: () => T;
}

async function askAll<T>(
  reading: UsageReading,
  known: UsageAnswers,
  ask: (usage: UsageSource) => T,
): Promise<Asked<T>> {
  let answers = known;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const questions = noQuestions();
    const outcome = outcomeOf(() => ask(notingUsage(answers, questions)));
    if (questions.groups.size === 0 && questions.advances.size === 0) return { answers, outcome };
    answers = await answersTo(reading, answers, questions);
  }
  throw new Error('rules ask for ever more usage');
}

// What is thrown may come of usage that is not known yet.
function outcomeOf<T>(run: () => T): () => T {
  try {
    const value = run();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/**
 * What rules come to with stored usage, of which some may be known. Rules are synchronous, the database is not: `ask` runs them to see
 * what they ask, as if nothing more had been used, until they ask for nothing more. It must not change anything. Throws what it throws then.
 */
export const askStored = async <T>(
  reading: UsageReading,
  known: UsageAnswers,
  ask: (usage: UsageSource) => T,
): Promise<T> => (await askAll(reading, known, ask)).outcome();

/** The stored usage that rules ask about, for those who run them elsewhere; what they throw is thrown there. */
export const answerUsage = async (
  reading: UsageReading,
  externalSubscriptionIds: readonly string[],
  ask: (usage: UsageSource) => unknown,
): Promise<UsageAnswers> => (await askAll(reading, { ...NO_USAGE, externalSubscriptionIds }, ask)).answers;
