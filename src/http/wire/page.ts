import type { Plugin } from 'graphql-yoga';
import { type ServerContext, type Target, targetOf } from './target.ts';

/** An address outside the API that needs no key. */
export interface Page {
  matches(target: Target, request: Request): boolean;
  answer(request: Request, target: Target): Response | Promise<Response>;
}

/** Serves the pages before anything else is asked of a request. */
export function servePages(pages: readonly Page[]): Plugin {
  return {
    async onRequest({ request, serverContext, endResponse }) {
      const target = targetOf(request, serverContext as ServerContext);
      const page = pages.find((candidate) => candidate.matches(target, request));
      if (page) endResponse(await page.answer(request, target));
    },
  };
}
