import { hash, randomBytes } from 'node:crypto';
import { OLDEST_FIRST } from '../database/row-order.ts';
import type { ApiKey, Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { KeyLookup, type KeyRow } from './key-lookup.ts';

export type KeyKind = 'secret' | 'publishable';
/** What publishable keys may do at all: the two descriptions of the specification. */
export type PublishableAccess = 'strict' | 'extended';
/** Resources mapped to their modes, for example `{ plan: ['read'] }`. */
export type PermissionMap = Record<string, readonly string[]>;

/** Whose a key is and what it may do. */
export interface KeyHolder {
  readonly organizationId: string;
  readonly keyId: string;
  readonly keyKind: KeyKind;
  /** What time it is for a test organization whose clock its own operations move. */
  readonly clock?: Date | undefined;
  permits(permission: string): boolean;
}

export interface NewKey {
  readonly organizationId: string;
  readonly kind: KeyKind;
  readonly name?: string;
  /** Null or absent: everything for a secret key, the policy for a publishable one. A publishable key's map only narrows the policy. */
  readonly permissions?: PermissionMap | null;
  readonly expiresAt?: Date;
  /** A key with known text, for demos and tests; made at random otherwise. */
  readonly key?: string;
}

const PREFIXES: Record<KeyKind, string> = { secret: 'sk_svc_', publishable: 'pk_svc_' };
const POLICIES: Record<PublishableAccess, readonly string[]> = {
  strict: ['plan:read'],
  extended: ['plan:read', 'subscription:read', 'invoice:read', 'credit_note:read', 'applied_coupon:read'],
};

/** What a publishable key may have at most. */
export const MOST_OF_PUBLISHABLE = POLICIES.extended;

// A key revoked by another process is still honoured for this long, and no longer.
const CACHE_MILLISECONDS = 2000;
const MOST_CACHED = 10_000;
const LAST_USE_MILLISECONDS = 60_000;

const hashOf = (key: string) => hash('sha256', key, 'hex');
const prefixOf = (key: string) => /^(sk|pk)_(svc_)?/.exec(key)?.[0] ?? '';

/** 256 bits at random behind the prefix of its kind. */
const mint = (kind: KeyKind) => PREFIXES[kind] + randomBytes(32).toString('base64url');

/** Makes a key. Its text is returned here and never again: the database has its hash. */
export async function createKey(
  prisma: Pick<PrismaClient, 'apiKey'>,
  wanted: NewKey,
): Promise<{ id: string; key: string }> {
  const key = wanted.key ?? mint(wanted.kind);
  const { organizationId, kind, name, permissions, expiresAt } = wanted;
  const data: Prisma.ApiKeyUncheckedCreateInput = {
    organizationId,
    kind,
    name: name ?? null,
    ...(permissions && { permissions: permissions as Prisma.InputJsonObject }),
    expiresAt: expiresAt ?? null,
    keyHash: hashOf(key),
    prefix: prefixOf(key),
    lastFour: key.slice(-4),
  };
  const { id } = await prisma.apiKey.create({ data, select: { id: true } });
  return { id, key };
}

/** The keys of an organization, oldest first; nothing in them opens anything. */
export async function listKeys(prisma: PrismaClient, organizationId: string): Promise<Omit<ApiKey, 'keyHash'>[]> {
  return prisma.apiKey.findMany({ where: { organizationId }, orderBy: OLDEST_FIRST, omit: { keyHash: true } });
}

/** The id of a key that is not revoked, by its text. */
export async function keyIdOf(prisma: PrismaClient, key: string): Promise<string | undefined> {
  const row = await prisma.apiKey.findUnique({
    where: { keyHash: hashOf(key) },
    select: { id: true, revokedAt: true },
  });
  return row && !row.revokedAt ? row.id : undefined;
}

/** Revokes a key for good. False when there is none with this id; the first time of revocation is kept. */
export async function revokeKey(prisma: PrismaClient, id: string, now: Date): Promise<boolean> {
  await prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now } });
  return (await prisma.apiKey.count({ where: { id } })) > 0;
}

function permissionTest({ kind, permissions }: ApiKey, access: PublishableAccess): (permission: string) => boolean {
  const map = permissions as PermissionMap | null;
  const inMap = (permission: string) => {
    const [resource = '', mode = ''] = permission.split(':');
    return map === null || (Object.hasOwn(map, resource) && (map[resource] ?? []).includes(mode));
  };
  return kind === 'secret' ? inMap : (permission) => POLICIES[access].includes(permission) && inMap(permission);
}

interface Entry {
  readonly row: KeyRow;
  readonly holder: KeyHolder;
  readonly until: number;
}

/** Finds the holders of keys and remembers when each key was last used. */
export class KeyRing {
  private readonly cache = new Map<string, Entry>();
  private readonly recorded = new Map<string, number>();
  private readonly recording = new Set<Promise<unknown>>();
  private readonly lookup: KeyLookup;

  constructor(
    private readonly prisma: PrismaClient,
    private readonly access: PublishableAccess,
    private readonly now: () => Date,
  ) {
    this.lookup = new KeyLookup(prisma);
  }

  /** The holder of a key; undefined for one that is unknown, revoked or expired. */
  async holderOf(key: string): Promise<KeyHolder | undefined> {
    if (prefixOf(key) === '' || key.length > 200) return undefined;
    const entry = await this.entryOf(hashOf(key));
    const now = this.now();
    if (!entry || entry.row.revokedAt || (entry.row.expiresAt && entry.row.expiresAt <= now)) return undefined;
    this.recordUse(entry.row.id, now);
    return entry.holder;
  }

  /** Waits for what is still being written. */
  async close(): Promise<void> {
    await Promise.all(this.recording);
  }

  private async entryOf(keyHash: string): Promise<Entry | undefined> {
    const cached = this.cache.get(keyHash);
    // A clock may have been moved a moment ago, by any process.
    if (cached && !cached.holder.clock && cached.until > performance.now()) return cached;
    const row = await this.lookup.find(keyHash);
    this.cache.delete(keyHash);
    if (!row) return undefined;
    const { id, organizationId, kind } = row;
    const clock = row.organization.testClockAt ?? undefined;
    const holder = { organizationId, keyId: id, keyKind: kind, clock, permits: permissionTest(row, this.access) };
    const entry = { row, holder, until: performance.now() + CACHE_MILLISECONDS };
    if (this.cache.size >= MOST_CACHED) this.cache.clear();
    this.cache.set(keyHash, entry);
    return entry;
  }

  // Not awaited: no request waits for it or fails with it. Other processes may have written within the minute.
  private recordUse(id: string, now: Date): void {
    const before = new Date(now.getTime() - LAST_USE_MILLISECONDS);
    if ((this.recorded.get(id) ?? 0) > before.getTime()) return;
    if (this.recorded.size >= MOST_CACHED) this.recorded.clear();
    this.recorded.set(id, now.getTime());
    const where = { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: before } }] };
    const writing = this.prisma.apiKey.updateMany({ where, data: { lastUsedAt: now } }).catch(() => undefined);
    this.recording.add(writing);
    void writing.finally(() => this.recording.delete(writing));
  }
}
