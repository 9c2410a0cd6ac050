import type { ServerResponse } from 'node:http';

const streams = new WeakSet<ServerResponse>();

/** Notes that an answer is a stream, whatever types its client has said to accept. */
export const noteStream = (response: ServerResponse): void => void streams.add(response);

/** Whether an answer is a stream. Headers that were written at once cannot be read again: it is noted instead. */
export const isStream = (response: ServerResponse): boolean => streams.has(response);
