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
  return [metric, price, period.from, period.to, until];
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

interface Questions {
  readonly groups: Map<string, [Metric, UsageAsked]>;
  readonly advances: Map<string, [Metric, AdvanceAsked]>;
}

/** Answers as if there were nothing what is not known yet, and notes it. */
function notingUsage(answers: UsageAnswers, { groups, advances }: Questions): UsageSource {
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

/** Questions that `ask` has with these answers. What it throws depends on usage, or is thrown again by who asks in earnest. */
function questionsOf(answers: UsageAnswers, ask: (usage: UsageSource) => unknown): Questions {
  const questions: Questions = { groups: new Map(), advances: new Map() };
  try {
    ask(notingUsage(answers, questions));
  } catch {
    return questions;
  }
  return questions;
}

// Which questions there are depends on usage only where one answer leads to the next: a threshold, a commitment.
const MOST_ROUNDS = 10;

/**
 * Reads the stored usage that rules ask about. Rules are synchronous, the database is not: `ask` runs them to see what they ask, as
 * if nothing had been used, until they ask for nothing more. It must not change anything.
 */
export async function answerUsage(
  reading: UsageReading,
  externalSubscriptionIds: readonly string[],
  ask: (usage: UsageSource) => unknown,
): Promise<UsageAnswers> {
  const answers: UsageAnswers = { externalSubscriptionIds, groups: {}, advances: {} };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { groups, advances } = questionsOf(answers, ask);
    if (groups.size === 0 && advances.size === 0) return answers;
    await Promise.all(
      [...groups].map(async ([key, question]) => {
        answers.groups[key] = await reading.groups(...question);
      }),
    );
    for (const [key, question] of advances) answers.advances[key] = await reading.advance(...question);
  }
  throw new Error('rules ask for ever more usage');
}
