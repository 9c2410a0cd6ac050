import { exchangeOf } from './exchange.ts';

const known = new WeakMap<Request, AbortSignal>();

/** Tells when nobody waits for the answer of a request any more: the client is gone, or so many milliseconds have passed since it came. */
export function patienceOf(request: Request, milliseconds: number): AbortSignal {
  const made = known.get(request);
  if (made) return made;
  const ending = new AbortController();
  known.set(request, ending.signal);
  const end = () => ending.abort();
  const passed = performance.now() - exchangeOf(request).startedAt;
  setTimeout(end, Math.max(milliseconds - passed, 0)).unref();
  if (request.signal.aborted) end();
  request.signal.addEventListener('abort', end, { once: true });
  return ending.signal;
}
