import { type Command, Option } from 'commander';
import { tryParseDate, tryParseInstant } from '../billing/period/calendar.ts';
import { RESOURCES } from '../graphql/context.ts';
import {
  createKey,
  type KeyKind,
  listKeys,
  MOST_OF_PUBLISHABLE,
  type PermissionMap,
  revokeKey,
} from '../store/access/api-key.ts';
import type { Database } from '../store/database/database.ts';
import { isUuid } from '../store/database/uuid.ts';

/** What was asked for cannot be done; the message is one line for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Opens the configured database for the time of one command. */
export type WithDatabase = (run: (db: Database) => Promise<void>) => Promise<void>;

interface CreateOptions {
  readonly organization: string;
  readonly kind: KeyKind;
  readonly name?: string;
  readonly permissions?: string;
  readonly expires?: string;
  readonly createOrganization?: boolean;
  readonly testClock?: string;
}

function permissionsOf(text: string | undefined, kind: KeyKind): PermissionMap | undefined {
  if (text === undefined) return undefined;
  const permissions = new Set(text.split(/[\s,]+/).filter(Boolean));
  if (permissions.size === 0) throw new CommandError('--permissions names none: such a key could do nothing');
  const map: Record<string, string[]> = {};
  for (const permission of permissions) {
    const [resource = '', mode = '', ...more] = permission.split(':');
    const isKnown = RESOURCES.some((name) => name === resource) && /^(read|write)$/.test(mode) && more.length === 0;
    if (!isKnown) throw new CommandError(`${permission} is not a permission; they are like plan:read,invoice:write`);
    if (kind === 'publishable' && !MOST_OF_PUBLISHABLE.includes(permission)) {
      throw new CommandError(
        `a publishable key never has ${permission}; it may have ${MOST_OF_PUBLISHABLE.join(', ')}`,
      );
    }
    map[resource] = [...(map[resource] ?? []), mode];
  }
  return map;
}

function expiryOf(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const instant = tryParseInstant(tryParseDate(text) ? `${text}T00:00:00Z` : text);
  if (instant === undefined) throw new CommandError(`${text} is not a date (2027-01-31) or date-time with an offset`);
  if (instant <= now.getTime()) throw new CommandError(`${text} is past: the key would be refused from the beginning`);
  return new Date(instant);
}

function clockOf({ testClock: text, createOrganization }: CreateOptions): Date | undefined {
  if (text === undefined) return undefined;
  if (!createOrganization)
    throw new CommandError('only a new organization gets a clock: --create-organization is missing');
  const instant = tryParseInstant(text);
  if (instant === undefined) throw new CommandError(`${text} is not a date-time with an offset (2027-01-31T00:00:00Z)`);
  return new Date(instant);
}

async function organizationId(
  { prisma }: Database,
  name: string,
  mayCreate = false,
  testClockAt?: Date,
): Promise<string> {
  const known = await prisma.organization.findUnique({ where: { name }, select: { id: true } });
  if (known && testClockAt) throw new CommandError(`${name} is there already; only a new organization gets a clock`);
  if (known) return known.id;
  if (name.trim() === '') throw new CommandError('an organization needs a name');
  if (!mayCreate) throw new CommandError(`there is no organization ${name}; --create-organization makes it`);
  return (await prisma.organization.create({ data: { name, testClockAt: testClockAt ?? null }, select: { id: true } }))
    .id;
}

/** What the options of `keys create` say of the key. Throws a CommandError. */
export function wantedKey({ kind, name, permissions, expires }: CreateOptions, now: Date) {
  return { kind, name, permissions: permissionsOf(permissions, kind), expiresAt: expiryOf(expires, now) };
}

async function create(db: Database, options: CreateOptions, wanted: ReturnType<typeof wantedKey>): Promise<void> {
  const clock = clockOf(options);
  const organization = await organizationId(db, options.organization, options.createOrganization, clock);
  const { id, key } = await createKey(db.prisma, { organizationId: organization, ...wanted });
  const { kind } = wanted;
  console.log(`${key}\n`);
  console.log(`This ${kind} key (${id}) of ${options.organization} is shown once: only its hash is kept.`);
}

async function list(db: Database, organization: string): Promise<void> {
  for (const key of await listKeys(db.prisma, await organizationId(db, organization))) {
    const state = key.revokedAt ? 'revoked' : key.expiresAt && key.expiresAt <= new Date() ? 'expired' : 'active';
    const used = key.lastUsedAt ? `used ${key.lastUsedAt.toISOString()}` : 'never used';
    const may = key.permissions === null ? 'default permissions' : JSON.stringify(key.permissions);
    console.log([key.id, `${key.prefix}…${key.lastFour}`, key.kind, state, used, may, key.name ?? ''].join('  '));
  }
}

async function revoke(db: Database, id: string): Promise<void> {
  if (!isUuid(id) || !(await revokeKey(db.prisma, id, new Date()))) throw new CommandError(`there is no key ${id}`);
  console.log(`${id} is revoked.`);
}

/** `keys create`, `keys list` and `keys revoke`. */
export function addKeyCommands(program: Command, withDatabase: WithDatabase): void {
  const keys = program.command('keys').description('make, list and revoke API keys');
  keys
    .command('create')
    .requiredOption('--organization <name>', 'whose key it is')
    .addOption(new Option('--kind <kind>', 'kind of key').choices(['secret', 'publishable']).default('secret'))
    .option('--name <text>', 'where the key is used')
    .option('--permissions <list>', 'like plan:read,invoice:write; everything that its kind may do when absent')
    .option('--expires <time>', 'date or date-time from which it is refused')
    .option('--create-organization', 'make the organization when there is none of the name')
    .option('--test-clock <time>', 'give a new organization a clock that shows this time until advanceClock moves it')
    .action(async (options: CreateOptions) => {
      const wanted = wantedKey(options, new Date()); // before a database is opened, or made
      await withDatabase((db) => create(db, options, wanted));
    });
  keys
    .command('list')
    .requiredOption('--organization <name>', 'whose keys')
    .action(({ organization }: { organization: string }) => withDatabase((db) => list(db, organization)));
  keys
    .command('revoke')
    .argument('<id>', 'identifier shown by list')
    .action((id: string) => withDatabase((db) => revoke(db, id)));
}
