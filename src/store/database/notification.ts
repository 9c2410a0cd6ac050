import pg from 'pg';

export interface Listener {
  onMessage(payload: string): void;
  /** The connection is lost: what was told since then is not known. Nothing more comes. */
  onLost(): void;
}

/** Stops listening. */
export type Stop = () => Promise<void>;

// Finds a connection that died without a word, for example behind a firewall.
const PULSE_MILLISECONDS = 15_000;
const PULSE_TIMEOUT = 5_000;

/** Listens on a connection of its own: a pool's connections come and go. Throws when the server cannot be reached. */
export async function listenOnServer(url: string, channel: string, listener: Listener): Promise<Stop> {
  const timeouts = { connectionTimeoutMillis: 10_000, query_timeout: PULSE_TIMEOUT };
  const client = new pg.Client({ connectionString: url, keepAlive: true, ...timeouts });
  let open = true;
  const lose = () => {
    if (!open) return;
    open = false;
    clearInterval(pulse);
    listener.onLost();
    void client.end().catch(() => undefined);
  };
  const pulse = setInterval(() => void client.query('SELECT 1').catch(lose), PULSE_MILLISECONDS);
  pulse.unref();
  client.on('error', lose);
  client.on('end', lose);
  client.on('notification', ({ payload }) => listener.onMessage(payload ?? ''));
  try {
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  } catch (error) {
    open = false;
    clearInterval(pulse);
    await client.end().catch(() => undefined);
    throw error;
  }
  return async () => {
    open = false;
    clearInterval(pulse);
    await client.end().catch(() => undefined);
  };
}
