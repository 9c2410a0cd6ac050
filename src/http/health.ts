import type { Logger } from 'pino';
import type { Page } from './page.ts';
import { jsonResponse } from './response.ts';

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** `/health`: the process answers. */
export const healthPage: Page = {
  matches: ({ path }, { method }) => path === '/health' && isRead(method),
  answer: () => jsonResponse(200, { status: 'ok' }),
};

/** `/ready`: the database answers and has the schema of this program. `ready` throws where it does not. */
export function readyPage(ready: () => Promise<void>, logger: Logger): Page {
  return {
    matches: ({ path }, { method }) => path === '/ready' && isRead(method),
    async answer() {
      try {
        await ready();
        return jsonResponse(200, { status: 'ready' });
      } catch (err) {
        logger.warn({ err }, 'not ready');
        return jsonResponse(503, { status: 'not ready' });
      }
    },
  };
}
