import cluster from 'node:cluster';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { addBillCommand } from './command/bill.ts';
import { addDataCommands } from './command/data.ts';
import { DEMO_KEYS, forVisitors, prepareDemo } from './command/demo.ts';
import { type EventPlaces, openEventPlaces } from './command/event-places.ts';
import { addEventCommands, lookAfterEvents } from './command/events.ts';
import { type JobOptions, untilSignal, workBeside, workUntilSignal } from './command/jobs.ts';
import { addKeyCommands, type WithDatabase } from './command/keys.ts';
import { sayStep } from './command/progress.ts';
import { report } from './command/report.ts';
import { serve } from './command/serve.ts';
import { addVerifyCommand } from './command/verify.ts';
import { printWelcome } from './command/welcome.ts';
import { runWorkers } from './command/workers.ts';
import { type Config, hasMetrics, misspelled, publicUrl, readConfig } from './config.ts';
import { viesChecker } from './http/vat/vies.ts';
import { createLogger } from './log.ts';
import { type Database, type DatabaseOptions, openDatabase } from './store/database/database.ts';

// Only statements of requests have a time limit: those of imports and migrations take what they take.
const open = ({ DATABASE_URL: url, DATA_DIR: dataDir, DATABASE_POOL: poolSize }: Config, limits: DatabaseLimits = {}) =>
  openDatabase({ url, dataDir, poolSize, ...limits });

type DatabaseLimits = Pick<DatabaseOptions, 'statementTimeout' | 'lockTimeout' | 'tenantConnections' | 'step'>;

const limitsOf = (config: Config): DatabaseLimits => ({
  statementTimeout: config.STATEMENT_TIMEOUT,
  lockTimeout: config.LOCK_TIMEOUT,
  tenantConnections: config.TENANT_CONNECTIONS,
  step: cluster.isPrimary ? sayStep : undefined,
});

/** The configuration; says which variables are probably misspelled. */
function configured(): Config {
  const config = readConfig(process.env);
  if (cluster.isPrimary) for (const line of misspelled(process.env)) console.error(`billing-gateway: ${line}`);
  return config;
}

const addressOf = (config: Config, port: number) => publicUrl({ ...config, PORT: port });

const checkVatOf = ({ VIES_URL: url }: Config, logger: Logger) =>
  url === undefined ? undefined : viesChecker({ url, logger });

const jobsOf = (config: Config, logger: Logger): JobOptions => ({
  ...{ isOn: config.JOBS === 'on', concurrency: config.JOBS_CONCURRENCY, checkVat: checkVatOf(config, logger), logger },
});

async function serveFrom(db: Database, config: Config, places: EventPlaces): Promise<void> {
  const logger = createLogger(config.LOG_LEVEL);
  // The schema is loaded here only: the other commands do without it.
  const [{ createApp }, { protectionOf }, { observabilityOf }, demo] = await Promise.all([
    ...([import('./app.ts'), import('./protection.ts'), import('./observability.ts')] as const),
    prepareDemo(db, new Date(), sayStep),
  ]);
  await places.carry(sayStep);
  places.receive(logger);
  const app = createApp({
    ...forVisitors(demo),
    localKeys: config.DEMO_KEYS === 'loopback' ? DEMO_KEYS : [],
    db,
    logger,
    publishableKeyAccess: config.PUBLISHABLE_KEY_ACCESS,
    corsOrigins: config.CORS_ORIGINS,
    bodyLimit: config.BODY_LIMIT,
    publicUrl: config.PUBLIC_URL,
    signingSecret: config.SIGNING_SECRET,
    fileUrlLifetime: config.FILE_URL_TTL,
    requestTimeout: config.REQUEST_TIMEOUT,
    logoHosts: config.LOGO_HOSTS,
    mostBillingEntities: config.BILLING_ENTITIES,
    checkVat: checkVatOf(config, logger),
    observability: observabilityOf(config),
    protection: protectionOf(config, demo !== undefined),
    fastPath: config.FAST_PATH === 'on',
  });
  const events = await lookAfterEvents(db, logger);
  const { HOST: host, PORT, REQUEST_TIMEOUT: requestTimeout, SHUTDOWN_TIMEOUT: shutdownTimeout } = config;
  const server = await serve({ app, host, port: PORT, requestTimeout, shutdownTimeout, logger }).catch(
    async (error: unknown) => {
      await app.close();
      throw error;
    },
  );
  if (cluster.isPrimary) printWelcome({ address: addressOf(config, server.port), demo });
  const stopped = untilSignal();
  const jobs = workBeside(db, jobsOf(config, logger));
  const signal = await stopped;
  logger.info({ signal }, 'stopping');
  events.stop();
  await Promise.all([server.close(), jobs.stop()]);
}

/** Works at jobs without a port, until a signal comes. */
async function work(config: Config): Promise<void> {
  const logger = createLogger(config.LOG_LEVEL);
  const run = (db: Database) => workUntilSignal(db, jobsOf(config, logger));
  await withEvents(await open(config, limitsOf(config)), config, run);
}

/** Runs something with a database and where its events are, and closes both. */
async function withEvents(
  db: Database,
  config: Config,
  run: (db: Database, places: EventPlaces) => Promise<void>,
): Promise<void> {
  try {
    const places = await openEventPlaces(db, config);
    await run(db, places).finally(() => places.close());
  } finally {
    await db.close();
  }
}

/** Serves until a signal comes. */
async function serveHere(config: Config): Promise<void> {
  // Loaded while the database opens; who needs it is told of a failure.
  import('./app.ts').catch(() => undefined);
  await withEvents(await open(config, limitsOf(config)), config, (db, places) => serveFrom(db, config, places));
}

/** The channel to the first process would keep a worker alive that has ended, or never began. */
const serveAsWorker = (config: Config) => serveHere(config).finally(() => process.disconnect());

async function serveEverywhere(config: Config): Promise<void> {
  if (cluster.isWorker) return serveAsWorker(config);
  if (config.WEB_CONCURRENCY === 1) return serveHere(config);
  // Opened and closed once, so that a wrong address or a failing migration is said once and not by every worker.
  await (await open(config, { step: sayStep })).close();
  if (hasMetrics(config)) (await import('./command/worker-metrics.ts')).addUpMetrics();
  const welcome = (port: number) => printWelcome({ address: addressOf(config, port) });
  process.exitCode = await runWorkers(config.WEB_CONCURRENCY, createLogger(config.LOG_LEVEL), welcome);
}

const withDatabase: WithDatabase = async (run) => {
  const db = await open(configured());
  try {
    await run(db);
  } finally {
    await db.close();
  }
};

/** The same for what reads and writes events; those that it wrote are brought to where they are kept. */
const withWholeDatabase: WithDatabase = async (run) => {
  const config = configured();
  await withEvents(await open(config), config, async (db, places) => {
    await run(db);
    await places.carry();
  });
};

function addMigrationCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database to the newest schema')
    .action(() => withDatabase(async () => console.log('The database has the newest schema.')));
  program
    .command('migrate:new')
    .description('write the migration from the last one to prisma/schema.prisma')
    .argument('<name>', 'lower-case letters, digits and underscores')
    .action(async (name: string) => {
      const { writeMigration } = await import('./store/database/migration-writer.ts'); // with Prisma's schema engine
      const folder = await writeMigration(name, new Date());
      console.log(folder === null ? 'The schema needs no migration.' : `prisma/migrations/${folder} is written.`);
    });
}

const program = new Command('billing-gateway').description('A GraphQL gateway over the billing domain.');
program
  .command('serve', { isDefault: true })
  .description('serve GraphQL and REST (the default)')
  .action(() => serveEverywhere(configured()));
program
  .command('worker')
  .description('work at jobs only: what is due is billed, as `serve` does it unless JOBS=off')
  .action(() => work(configured()));
addMigrationCommands(program);
addKeyCommands(program, withDatabase);
addDataCommands(program, withWholeDatabase);
addEventCommands(program, withDatabase);
addBillCommand(program, withWholeDatabase);
addVerifyCommand(program, withWholeDatabase);
await program.parseAsync().catch((error: unknown) => report(error, process.env.LOG_LEVEL ?? ''));
