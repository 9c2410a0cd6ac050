import cluster from 'node:cluster';
import { Command } from 'commander';
import { addDataCommands } from './command/data.ts';
import { DEMO_KEYS, prepareDemo } from './command/demo.ts';
import { EXAMPLES } from './command/examples.ts';
import { addKeyCommands, CommandError, type WithDatabase } from './command/keys.ts';
import { sayStep } from './command/progress.ts';
import { ListenError, serve } from './command/serve.ts';
import { printWelcome } from './command/welcome.ts';
import { runWorkers } from './command/workers.ts';
import { type Config, ConfigError, hasMetrics, misspelled, publicUrl, readConfig } from './config.ts';
import { createLogger } from './log.ts';
import { type Database, type DatabaseOptions, DatabaseUrlError, openDatabase } from './store/database/database.ts';
import { DataDirectoryError } from './store/database/embedded.ts';
import { MigrationError } from './store/database/migration.ts';
import { ImportError } from './store/transfer/import/import.ts';

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

async function serveFrom(db: Database, config: Config): Promise<void> {
  const logger = createLogger(config.LOG_LEVEL);
  // The schema is loaded here only: the other commands do without it.
  const [{ createApp }, { protectionOf }, { observabilityOf }, demo] = await Promise.all([
    ...([import('./app.ts'), import('./protection.ts'), import('./observability.ts')] as const),
    prepareDemo(db, new Date(), sayStep),
  ]);
  const app = createApp({
    demoKey: demo?.secretKey,
    localKeys: config.DEMO_KEYS === 'loopback' ? DEMO_KEYS : [],
    examples: EXAMPLES,
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
    observability: observabilityOf(config),
    protection: protectionOf(config, demo !== undefined),
    fastPath: config.FAST_PATH === 'on',
  });
  const { HOST: host, PORT, REQUEST_TIMEOUT: requestTimeout, SHUTDOWN_TIMEOUT: shutdownTimeout } = config;
  const server = await serve({ app, host, port: PORT, requestTimeout, shutdownTimeout, logger }).catch(
    async (error: unknown) => {
      await app.close();
      throw error;
    },
  );
  if (cluster.isPrimary) printWelcome({ address: addressOf(config, server.port), demo });
  const signal = await new Promise<string>((resolve) => {
    // Not `once`: a second signal while running requests finish must not kill the process.
    for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => resolve(name));
  });
  logger.info({ signal }, 'stopping');
  await server.close();
}

/** Serves until a signal comes. */
async function serveHere(config: Config): Promise<void> {
  // Loaded while the database opens; who needs it is told of a failure.
  import('./app.ts').catch(() => undefined);
  const db = await open(config, limitsOf(config));
  try {
    await serveFrom(db, config);
  } finally {
    await db.close();
  }
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

const EXPECTED = [
  ConfigError,
  CommandError,
  DataDirectoryError,
  DatabaseUrlError,
  MigrationError,
  ImportError,
  ListenError,
];

// Prisma's messages end with the reason, the schema engine's with where in itself it failed.
const isTrace = (line: string) => line.trim() === '' || /^\s+(\d+: |at |with )/.test(line);

/** One clear line an error; the stack only for those who ask for it. */
function report(error: unknown): void {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  const message = error instanceof Error ? error.message : String(error);
  const lines = isExpected
    ? message.split('\n')
    : [
        message
          .split('\n')
          .filter((line) => !isTrace(line))
          .at(-1),
      ];
  for (const line of lines) console.error(`billing-gateway: ${line}`);
  if (!isExpected && /debug|trace/.test(process.env.LOG_LEVEL ?? '')) console.error(error);
  process.exitCode = 1;
}

const program = new Command('billing-gateway').description('A GraphQL gateway over the billing domain.');
program
  .command('serve', { isDefault: true })
  .description('serve GraphQL and REST (the default)')
  .action(() => serveEverywhere(configured()));
addMigrationCommands(program);
addKeyCommands(program, withDatabase);
addDataCommands(program, withDatabase);
await program.parseAsync().catch(report);
