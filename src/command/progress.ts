const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Says what is done before it is done, and afterwards how long it took. */
export async function sayStep<T>(what: string, run: () => Promise<T>): Promise<T> {
  console.log(`${what} ...`);
  const begun = performance.now();
  const done = await run();
  console.log(`  done in ${seconds(performance.now() - begun)}`);
  return done;
}

/** How long the process has been running. */
export const sinceStart = (): string => seconds(performance.now());
