/** Runs something, and tells how long it took and the longest turn of the event loop beside it, in milliseconds. */
export async function besideTurns<T>(run: () => Promise<T>): Promise<{ result: T; longest: number; whole: number }> {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(look, 5);
  const before = performance.now();
  try {
    const result = await run();
    const whole = performance.now() - before;
    look(); // what held the loop to its end let no timer run
    return { result, longest, whole };
  } finally {
    clearInterval(timer);
  }
}
