import { type Command, Option } from 'commander';
import { tryParseDate, tryParseInstant } from './billing/calendar.ts';
import { RESOURCES } from './graphql/context.ts';
import { createKey, type KeyKind, listKeys, type PermissionMap, revokeKey } from './store/api-key.ts';
import type { Database } from './store/database.ts';

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
}

function permissionsOf(text: string | undefined): PermissionMap | undefined {
  if (text === undefined) return undefined;
  const map: Record<string, string[]> = {};
  for (const permission of text.split(/[\s,]+/).filter(Boolean)) {
    const [resource = '', mode = ''] = permission.split(':');
    const isKnown = RESOURCES.some((name) => name === resource) && (mode === 'read' || mode === 'write');
    if (!isKnown) throw new CommandError(`${permission} is not a permission; they are like plan:read,invoice:write`);
    map[resource] = [...(map[resource] ?? []), mode];
  }
  return map;
}

function expiryOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const instant = tryParseInstant(tryParseDate(text) ? `${text}T00:00:00Z` : text);
  if (instant === undefined) throw new CommandError(`${text} is not a date (2027-01-31) or date-time with an offset`);
  return new Date(instant);
}

export async function organizationId({ prisma }: Database, name: string, mayCreate = false): Promise<string> {
  const known = await prisma.organization.findUnique({ where: { name }, select: { id: true } });
  if (known) return known.id;
  if (name.trim() === '') throw new CommandError('an organization needs a name');
  if (!mayCreate) throw new CommandError(`there is no organization ${name}; --create-organization makes it`);
  return (await prisma.organization.create({ data: { name }, select: { id: true } })).id;
}

async function create(db: Database, options: CreateOptions): Promise<void> {
  const { kind, name } = options;
  const permissions = permissionsOf(options.permissions);
  const expiresAt = expiryOf(options.expires);
  const organization = await organizationId(db, options.organization, options.createOrganization);
  const { id, key } = await createKey(db.prisma, { organizationId: organization, kind, name, permissions, expiresAt });
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
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  if (!isUuid || !(await revokeKey(db.prisma, id, new Date()))) throw new CommandError(`there is no key ${id}`);
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
    .action((options: CreateOptions) => withDatabase((db) => create(db, options)));
  keys
    .command('list')
    .requiredOption('--organization <name>', 'whose keys')
    .action(({ organization }: { organization: string }) => withDatabase((db) => list(db, organization)));
  keys
    .command('revoke')
    .argument('<id>', 'identifier shown by list')
    .action((id: string) => withDatabase((db) => revoke(db, id)));
}
