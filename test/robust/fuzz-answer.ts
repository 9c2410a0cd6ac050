// biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into
type Body = any;

const hasParams = (details: Body): boolean => details !== null && typeof details === 'object' && 'params' in details;

/** Codes of a member: a list of words; of objects in a list by their places, where a batch tells what was sent too. */
const isDetails = (details: unknown): boolean =>
  typeof details === 'object' &&
  details !== null &&
  Object.keys(details).length > 0 &&
  Object.values(details).every((words) =>
    Array.isArray(words)
      ? words.length > 0 && words.every((word) => typeof word === 'string' && word !== '')
      : isDetails(hasParams(words) ? words.errors : words),
  );

/** What is wrong with an input, fault by fault: where, which, in words; by members too where rules say it. */
const isTold = ({ errors, errorDetails }: Body): boolean =>
  Array.isArray(errors) &&
  errors.length > 0 &&
  errors.every(
    ({ path, code, message }: Body) => Array.isArray(path) && typeof code === 'string' && typeof message === 'string',
  ) &&
  (errorDetails === undefined || isDetails(errorDetails));

const EXTRA = ['code', 'error_details'];

/** What is wrong with an answer to a REST request; nothing when it is as the API says. */
export function restFault(status: number, body: Body): string | undefined {
  if (status < 400) return undefined;
  if (body?.status !== status || typeof body?.error !== 'string') return 'no error of the API';
  const strange = Object.keys(body).filter((name) => !['status', 'error', ...EXTRA].includes(name));
  if (strange.length > 0) return `an error with ${strange}`;
  if ('code' in body && typeof body.code !== 'string') return 'a code that is no text';
  if ([403, 404, 405, 409].includes(status) && body.code === undefined) return `a ${status} without a code`;
  return status === 422 && !isDetails(body.error_details) ? 'a 422 that names no field' : undefined;
}

/** The same of a request to the graph. */
export function graphqlFault(status: number, body: Body): string | undefined {
  const errors = body?.errors;
  if (errors === undefined) return status === 200 && body?.data ? undefined : 'neither data nor errors';
  if (!Array.isArray(errors) || errors.length === 0) return 'errors are no list';
  if (errors.some((error: Body) => typeof error?.message !== 'string')) return 'an error without a message';
  const codes = errors.map((error: Body) => error?.extensions?.code);
  if (!codes.every((code) => typeof code === 'string' && !/internal|unavailable/.test(code))) return `codes ${codes}`;
  const bare = errors.some(({ extensions }: Body) => extensions.code === 'validation_errors' && !isTold(extensions));
  return bare ? 'a validation error that says not where' : undefined;
}
