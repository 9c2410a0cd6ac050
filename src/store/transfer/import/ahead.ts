/** What a source yields, each asked for before the one before it is used: files are read while the database writes. */
export async function* ahead<T>(source: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  const reading = (async function* () {
    yield* source;
  })();
  for (let next = reading.next(); ; ) {
    const { value, done } = await next;
    if (done) return;
    next = reading.next();
    next.catch(() => undefined); // told when it is waited for
    yield value;
  }
}
