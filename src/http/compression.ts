import { Response } from '@whatwg-node/fetch';
import type { Plugin } from 'graphql-yoga';
import { addVary, encode, encodingOf } from './wire/encoding.ts';

// A packet holds about as much: what is shorter arrives no sooner for being smaller.
const SHORTEST = 1024;

// Streams are not among them: their events would wait for each other.
const COMPRESSIBLE = /^(application\/([\w.-]+\+)?json|text\/(?!event-stream)[\w.-]+)\s*(;|$)/;

/**
 * Compresses what clients take compressed. It comes last, when an answer has all of its headers. What is encoded already, as the pages
 * are that stay the same, is left as it is, and so is everything for clients that ask for no encoding.
 */
export function compressed(): Plugin {
  return {
    async onResponse({ request, response, setResponse }) {
      const { headers, status, statusText } = response;
      if (headers.has('content-encoding') || !COMPRESSIBLE.test(headers.get('content-type') ?? '')) return;
      addVary(headers, ['Accept-Encoding']);
      const encoding = encodingOf(request);
      if (encoding === 'identity' || Number(headers.get('content-length')) < SHORTEST) return;
      const text = await response.arrayBuffer();
      const body = request.method === 'HEAD' ? null : new Uint8Array(await encode(Buffer.from(text), encoding));
      headers.set('Content-Encoding', encoding);
      headers.delete('Content-Length'); // of a HEAD it is not known without compressing
      if (body) headers.set('Content-Length', String(body.length));
      setResponse(new Response(body, { status, statusText, headers }));
    },
  };
}
