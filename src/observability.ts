import cluster from 'node:cluster';
import type { IncomingHttpHeaders } from 'node:http';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { gatherMetrics } from './command/worker-metrics.ts';
import { type Config, hasMetrics } from './config.ts';
import { noteActivity, withActivity } from './http/observe/activity.ts';
import { Metrics, metricsPage } from './http/observe/metrics.ts';
import { slowQueries } from './http/observe/slow-query.ts';
import { isTraced, Tracing } from './http/observe/tracing.ts';
import type { Page } from './http/wire/page.ts';
import type { Database } from './store/database/database.ts';
import { countJobs } from './store/job/job-count.ts';
import { waitingEvents } from './store/usage/event-intake.ts';
import { onKeepingFailed } from './store/usage/hours/keep-usage.ts';

export interface ObservabilityOptions {
  /** Absent: nothing is counted, and there is no `/metrics`. */
  readonly metrics?: {
    /** What must be sent to see them; without one everybody may. */
    readonly token?: string | undefined;
    /** The text of the metrics, where one process answers for several. */
    readonly gather?: (registry: Registry) => () => Promise<string>;
  };
  /** Milliseconds from which on a statement is logged; none by default. */
  readonly slowQuery?: number;
}

/** What the configuration asks for. Of several processes each answers for all. */
export const observabilityOf = (config: Config): ObservabilityOptions => ({
  slowQuery: config.SLOW_QUERY,
  ...(hasMetrics(config) && {
    metrics: { token: config.METRICS_TOKEN, ...(cluster.isWorker && { gather: gatherMetrics }) },
  }),
});

interface Sources {
  readonly db: Database;
  readonly logger: Logger;
  readonly streams: () => number;
  readonly now: () => Date;
}

interface Observability {
  /** They come before all others. */
  readonly plugins: Plugin[];
  readonly pages: Page[];
  /** Runs a request so that its statements are known as its own. */
  around<T>(method: string, headers: IncomingHttpHeaders, run: () => T): T;
}

/** What operators see of the gateway: metrics, traces and slow statements, each only where it is asked for. */
export function observe({ metrics, slowQuery }: ObservabilityOptions, sources: Sources): Observability {
  const { db, logger, streams, now } = sources;
  const plugins: Plugin[] = [noteActivity()];
  const pages: Page[] = [];
  if (slowQuery !== undefined) db.onStatement(slowQueries(slowQuery, logger));
  const unkept = 'usage of many events could not be kept; it is read from the events';
  onKeepingFailed(db.prisma, (err, of) => logger.warn({ err, ...of }, unkept));
  if (metrics) {
    const counted = new Metrics({
      connections: db.connections,
      streams,
      waitingEvents: () => waitingEvents(db.prisma),
      jobs: () => countJobs(db.prisma, now()),
    });
    const { registry } = counted;
    db.onStatement(counted.onStatement);
    plugins.push(counted.plugin());
    pages.push(metricsPage(metrics.gather?.(registry) ?? (() => registry.metrics()), metrics.token));
  }
  if (!isTraced()) return { plugins, pages, around: (_method, _headers, run) => withActivity({}, run) };
  const tracing = new Tracing();
  db.onStatement(tracing.onStatement);
  return {
    plugins: [...plugins, tracing.plugin()],
    pages,
    around: (method, headers, run) => tracing.around(method, headers, run),
  };
}
