import type { Endpoint } from '../wire/endpoint.ts';

interface Pattern {
  readonly endpoint: Endpoint;
  /** Literal segments, and names of parameters in braces. */
  readonly segments: readonly string[];
}

export interface Match extends Pick<Endpoint, 'route'> {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

const isParameter = (segment: string) => segment.startsWith('{');

/** Decodes one segment once; undefined where it is empty, holds a bad escape or a NUL. */
function decode(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    return text === '' || text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function paramsOf(pattern: Pattern, segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.segments.entries()) {
    const text = segments[index] ?? '';
    if (isParameter(expected)) params[expected.slice(1, -1)] = text;
    else if (text !== expected) return undefined;
  }
  return params;
}

const parametersIn = ({ segments }: Pattern) => segments.filter(isParameter).length;

/** Finds the endpoints of a raw path, literal segments before parameters. */
export class Router {
  /** By the number of their segments. */
  private readonly patterns = new Map<number, Pattern[]>();

  constructor(endpoints: readonly Endpoint[]) {
    const patterns = endpoints.map((endpoint) => ({ endpoint, segments: endpoint.route.path.split('/').slice(1) }));
    for (const pattern of patterns.sort((one, other) => parametersIn(one) - parametersIn(other))) {
      const { length } = pattern.segments;
      const alike = this.patterns.get(length) ?? [];
      this.patterns.set(length, [...alike, pattern]);
    }
  }

  /** The endpoints of all methods that a path has. */
  at(path: string): Match[] {
    const segments = path.split('/').slice(1).map(decode);
    if (!segments.every((segment) => segment !== undefined)) return [];
    return (this.patterns.get(segments.length) ?? []).flatMap((pattern) => {
      const params = paramsOf(pattern, segments);
      return params ? [{ route: pattern.endpoint.route, endpoint: pattern.endpoint, params }] : [];
    });
  }

  /** The endpoint of a method and a path. HEAD is asked of GET. */
  find(method: string, path: string): Match | undefined {
    const wanted = method === 'HEAD' ? 'GET' : method;
    return this.at(path).find(({ route }) => route.method === wanted);
  }
}
