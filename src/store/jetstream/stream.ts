import {
  AckPolicy,
  type Consumer,
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';

/** An address of a stream: `nats://user:password@host:4222/STREAM?replicas=3&max_messages=1000000`. */
interface Address {
  readonly servers: string;
  readonly user?: string;
  readonly pass?: string;
  readonly isTls: boolean;
  readonly stream: string;
  readonly replicas: number;
  readonly maxMessages: number;
}

const STREAM = 'BILLING_EVENTS';
const MOST_MESSAGES = 10_000_000;

function positive(text: string | null, standard: number, name: string): number {
  const value = Number(text ?? standard);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be a whole number above 0`);
  return value;
}

function addressOf(text: string): Address {
  const { protocol, host, username, password, pathname, searchParams } = new URL(text);
  const stream = pathname.slice(1) || STREAM;
  if (!/^[\w-]{1,64}$/.test(stream)) throw new Error('the name of a stream is letters, digits, - and _');
  return {
    ...{ servers: host, isTls: protocol === 'tls:', stream },
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    replicas: positive(searchParams.get('replicas'), 1, 'replicas'),
    maxMessages: positive(searchParams.get('max_messages'), MOST_MESSAGES, 'max_messages'),
  };
}

const nanoseconds = (milliseconds: number) => milliseconds * 1_000_000;

/** For how long the same message again is known as such; the server keeps the identifiers. */
const WINDOW_MS = 120_000;
/** When a message that nobody has answered for is handed out again. */
const ACK_WAIT_MS = 30_000;
const REJECTED_DAYS = 30;

/** A stream of received events, each message of which is one request's, and one of those that cannot be stored. */
export interface Stream {
  readonly name: string;
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly consumer: Consumer;
  subjectOf(organizationId: string): string;
  readonly rejected: string;
}

async function prepare(manager: JetStreamManager, { stream, replicas, maxMessages }: Address): Promise<void> {
  const own = {
    ...{ name: stream, subjects: [`${stream}.received.>`], num_replicas: replicas, max_msgs: maxMessages },
    ...{ retention: RetentionPolicy.Workqueue, discard: DiscardPolicy.New, duplicate_window: nanoseconds(WINDOW_MS) },
  };
  const rejected = {
    ...{ name: `${stream}_REJECTED`, subjects: [`${stream}.rejected`], num_replicas: replicas, max_msgs: 1_000_000 },
    max_age: nanoseconds(REJECTED_DAYS * 86_400_000),
  };
  for (const wanted of [own, rejected]) {
    const known = await manager.streams.info(wanted.name).catch(() => undefined);
    if (known) await manager.streams.update(wanted.name, { ...known.config, max_msgs: wanted.max_msgs });
    else await manager.streams.add(wanted);
  }
  const consumer = { ack_policy: AckPolicy.Explicit, ack_wait: nanoseconds(ACK_WAIT_MS), max_ack_pending: 20_000 };
  await manager.consumers.add(stream, { durable_name: 'store', ...consumer });
}

/** Opens the stream of an address, and makes it where it is not. */
export async function openStream(text: string): Promise<Stream> {
  const address = addressOf(text);
  const { servers, user, pass, isTls, stream } = address;
  const connection = await connect({
    ...{ servers, user, pass, name: 'billing-gateway', maxReconnectAttempts: -1, reconnectTimeWait: 500 },
    ...(isTls && { tls: {} }),
  });
  try {
    const manager = await jetstreamManager(connection);
    await prepare(manager, address);
    const client = jetstream(connection);
    return {
      ...{ name: stream, connection, client, manager, consumer: await client.consumers.get(stream, 'store') },
      subjectOf: (organizationId) => `${stream}.received.${organizationId}`,
      rejected: `${stream}.rejected`,
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
