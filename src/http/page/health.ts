import type { Logger } from 'pino';
import type { Page } from '../wire/page.ts';
import { jsonResponse } from '../wire/response.ts';

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** `/health`: the process answers. */
export const healthPage: Page = {
  matches: ({ path }, { method }) => path === '/health' && isRead(method),
  answer: () => jsonResponse(200, { status: 'ok' }),
};

export interface Readiness {
  /** Throws where the database does not answer, lacks the schema of this program or takes no writes. */
  readonly ready: () => Promise<void>;
  /** Whether that says that only writes do not work. */
  readonly isReadOnly: (cause: unknown) => boolean;
  readonly logger: Logger;
}

/** `/ready`: the database answers, has the schema of this program and takes writes. */
export function readyPage({ ready, isReadOnly, logger }: Readiness): Page {
  return {
    matches: ({ path }, { method }) => path === '/ready' && isRead(method),
    async answer() {
      try {
        await ready();
        return jsonResponse(200, { status: 'ready' });
      } catch (err) {
        logger.warn({ err }, 'not ready');
        const reason = isReadOnly(err) ? { reason: 'writes_do_not_work' } : {};
        return jsonResponse(503, { status: 'not ready', ...reason });
      }
    },
  };
}
