import { createHash, timingSafeEqual } from 'node:crypto';
import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { keyOf } from '../wire/authentication.ts';
import { exchangeOf } from '../wire/exchange.ts';
import type { Page } from '../wire/page.ts';
import { jsonResponse } from '../wire/response.ts';
import { placeOf, type Statement } from './activity.ts';
import { type JobFigures, jobGauges } from './job-metrics.ts';

export interface MetricsSources {
  /** The connections of the database's pool; undefined where there is none. */
  readonly connections: () => { total: number; idle: number; waiting: number } | undefined;
  /** Live streams at the moment. */
  readonly streams: () => number;
  /** Events that wait to be stored, by where. */
  readonly waitingEvents: () => Promise<object>;
  /** Jobs that are not done, and customers of whom something is due, as all processes see them. */
  readonly jobs: () => Promise<JobFigures>;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const SQL_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5];
// Names are the clients' words: beyond these, operations are counted together.
const MOST_OPERATIONS = 200;
const SQL_KINDS = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH', 'BEGIN', 'COMMIT', 'ROLLBACK']);

const hasErrors = (result: unknown) => ((result as { errors?: readonly unknown[] }).errors?.length ?? 0) > 0;

function kindOf(sql: string): string {
  const word = (/[a-z]+/i.exec(sql.slice(0, 40))?.[0] ?? '').toUpperCase();
  return SQL_KINDS.has(word) ? word.toLowerCase() : 'other';
}

function gauges(registry: Registry, { connections, streams, waitingEvents }: MetricsSources): void {
  const registers = [registry];
  new Gauge({
    name: 'billing_pool_connections',
    help: 'Connections of the database pool, by state; waiting are requests for one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(connections() ?? {})) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'billing_live_streams',
    help: 'Live operations that are open.',
    registers,
    collect() {
      this.set(streams());
    },
  });
  new Gauge({
    name: 'billing_waiting_events',
    help: 'Events that are not stored yet, by where they wait: the queue of a process, or the messages of the buffer.',
    labelNames: ['place'],
    registers,
    async collect() {
      const counts = await waitingEvents().catch(() => ({}));
      for (const [place, count] of Object.entries(counts)) this.set({ place }, Number(count));
    },
  });
}

function instruments(registry: Registry) {
  const registers = [registry];
  const requests = new Histogram({
    name: 'billing_request_seconds',
    help: 'Requests until their answer begins, by door, route and status.',
    labelNames: ['door', 'route', 'method', 'status'],
    buckets: SECONDS,
    registers,
  });
  const operations = new Histogram({
    name: 'billing_graphql_operation_seconds',
    help: 'Executions of GraphQL operations of clients.',
    labelNames: ['operation', 'type', 'outcome'],
    buckets: SECONDS,
    registers,
  });
  const subscriptions = new Counter({
    name: 'billing_live_operations_total',
    help: 'Live operations that were begun.',
    labelNames: ['operation'],
    registers,
  });
  const statements = new Histogram({
    name: 'billing_sql_seconds',
    help: 'SQL statements, by their first word.',
    labelNames: ['kind'],
    buckets: SQL_SECONDS,
    registers,
  });
  return { requests, operations, subscriptions, statements };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** What one process counts. Every label has few values, whatever clients send. */
export class Metrics {
  readonly registry = new Registry();
  private readonly instruments = instruments(this.registry);
  private readonly names = new Set<string>();

  constructor(sources: MetricsSources) {
    collectDefaultMetrics({ register: this.registry });
    gauges(this.registry, sources);
    jobGauges(this.registry, sources.jobs);
  }

  readonly onStatement = ({ sql, milliseconds }: Statement): void => {
    this.instruments.statements.observe({ kind: kindOf(sql) }, milliseconds / 1000);
  };

  plugin(): Plugin {
    const { requests, operations, subscriptions } = this.instruments;
    return {
      onResponse: ({ request, response, serverContext }) => {
        const { door, route } = placeOf(request, serverContext);
        const method = METHODS.has(request.method) ? request.method : 'other';
        const seconds = (performance.now() - exchangeOf(request).startedAt) / 1000;
        requests.observe({ door, route, method, status: response.status }, seconds);
      },
      onExecute: ({ args }) => {
        // Documents of the REST API, which have no request of their own, are counted as its requests.
        const operation = args.contextValue.request && getOperationAST(args.document, args.operationName);
        if (!operation) return undefined;
        const labels = { operation: this.nameOf(operation.name?.value), type: operation.operation };
        const begun = performance.now();
        return {
          onExecuteDone: ({ result }) => {
            const outcome = hasErrors(result) ? 'error' : 'ok';
            operations.observe({ ...labels, outcome }, (performance.now() - begun) / 1000);
          },
        };
      },
      onSubscribe: ({ args }) => {
        const operation = getOperationAST(args.document, args.operationName);
        subscriptions.inc({ operation: this.nameOf(operation?.name?.value) });
      },
    };
  }

  private nameOf(given = 'anonymous'): string {
    const name = Buffer.from(given.slice(0, 100)).toString(); // a part of a text holds the whole of it
    if (this.names.size < MOST_OPERATIONS) this.names.add(name);
    return this.names.has(name) ? name : 'other';
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** `/metrics` in Prometheus' text format. With a token, only for those who send it as `Authorization: Bearer`. */
export function metricsPage(text: () => Promise<string>, token?: string): Page {
  const isAllowed = (request: Request) => !token || timingSafeEqual(digest(keyOf(request) ?? ''), digest(token));
  return {
    matches: ({ path }, { method }) => path === '/metrics' && (method === 'GET' || method === 'HEAD'),
    async answer(request) {
      const challenge = { 'WWW-Authenticate': 'Bearer' };
      if (!isAllowed(request)) return jsonResponse(401, { status: 401, error: 'Unauthorized' }, challenge);
      return new Response(await text(), { headers: { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE } });
    },
  };
}
