import { createHash } from 'node:crypto';
import { emptyResponse } from '../wire/response.ts';

export interface FileContent {
  /** Name for the reader's disk, in any script. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  /** What the browser may do with it, where it is a page. */
  readonly policy?: string;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

const etagOf = (bytes: Uint8Array) => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** RFC 6266 and 5987: shown by the reader or saved; a name in plain ASCII for old readers, and the real one in UTF-8. */
export function contentDisposition(name: string, kind: 'inline' | 'attachment' = 'inline'): string {
  // What would lead to another folder or break the header has no place in a file's name.
  const clean = Buffer.from(name)
    .toString()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}/\\]/gu, '-');
  const plain = clean.replace(/[^ -~]/gu, '_').replace(/["%]/g, '_');
  const encoded = encodeURIComponent(clean).replace(/[!'()*]/g, percent);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const tagsIn = (header: string) => header.split(',').map((tag) => tag.trim());

/** Whether a list of validators names this one; for reads a weak one counts as much as a strong one. */
const names = (header: string, etag: string) =>
  tagsIn(header).some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`);

/** The range asked for; null where none is or where the header is to be ignored, 'none' where it lies outside. */
function rangeOf(header: string | null, length: number): Range | 'none' | null {
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const count = Number(to);
    return count === 0 || length === 0 ? 'none' : { first: Math.max(0, length - count), last: length - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return null;
  return first >= length ? 'none' : { first, last: to === '' ? length - 1 : Math.min(Number(to), length - 1) };
}

function wantedRange(request: Request, etag: string, length: number) {
  const condition = request.headers.get('if-range');
  // If-Range compares strongly, and there is no date to compare with.
  if (request.method !== 'GET' || (condition !== null && condition.trim() !== etag)) return null;
  return rangeOf(request.headers.get('range'), length);
}

// Not signed: it tells what the reader does with the file, not which it is.
const isToBeSaved = ({ url }: Request) => new URL(url).searchParams.get('download') === 'true';

/** Answers GET and HEAD for a file as RFC 9110 says: validators, one range, and its name. Several ranges get the whole. */
export function fileResponse(request: Request, { name, type, bytes, policy }: FileContent): Response {
  const etag = etagOf(bytes);
  const common = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  const [ifMatch, ifNoneMatch] = [request.headers.get('if-match'), request.headers.get('if-none-match')];
  if (ifMatch !== null && !tagsIn(ifMatch).some((tag) => tag === '*' || tag === etag))
    return emptyResponse(412, common);
  if (ifNoneMatch !== null && names(ifNoneMatch, etag)) return emptyResponse(304, common);
  const range = wantedRange(request, etag, bytes.length);
  if (range === 'none') return emptyResponse(416, { ...common, 'Content-Range': `bytes */${bytes.length}` });
  const part = range ? bytes.subarray(range.first, range.last + 1) : bytes;
  const headers: Record<string, string> = {
    ...common,
    'Accept-Ranges': 'bytes',
    'Content-Type': type,
    ...(policy && { 'Content-Security-Policy': policy }),
    'Content-Length': String(part.length),
    'Content-Disposition': contentDisposition(name, isToBeSaved(request) ? 'attachment' : 'inline'),
    ...(range && { 'Content-Range': `bytes ${range.first}-${range.last}/${bytes.length}` }),
  };
  const body = request.method === 'HEAD' ? null : new Uint8Array(part);
  return new Response(body, { status: range ? 206 : 200, headers });
}
