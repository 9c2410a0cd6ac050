import { createHash } from 'node:crypto';
import { asset } from './html-page.ts';
import { staticAnswer } from './static-answer.ts';

/** A file of GraphiQL. Its address is made of its text: another text has another address, and nobody asks twice. */
export interface Asset {
  readonly path: string;
  answer(request: Request): Promise<Response>;
}

export const FOLDER = '/assets/';

function assetOf(name: string, ending: 'js' | 'css', text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 20);
  return {
    path: `${FOLDER}${name}-${hash}.${ending}`,
    answer: staticAnswer({
      type: `text/${ending === 'js' ? 'javascript' : 'css'}; charset=utf-8`,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
      make: () => text,
    }),
  };
}

/** The files as the package has them, with our own beside them. Nine megabytes: loaded when first asked for. */
export async function loadAssets() {
  const files = await import('@graphql-yoga/render-graphiql/graphiql');
  const script = (name: string, text: string) => assetOf(name, 'js', text);
  return {
    program: script('graphiql', files.js),
    start: script('start', asset('graphiql.js')),
    style: assetOf('graphiql', 'css', `${files.css}\n${asset('graphiql.css')}`),
    workers: {
      editorWorkerService: script('editor-worker', files.editorWorkerService),
      json: script('json-worker', files.jsonWorker),
      graphql: script('graphql-worker', files.graphqlWorker),
    },
  };
}

export type Assets = Awaited<ReturnType<typeof loadAssets>>;
