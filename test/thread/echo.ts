import { answerWith } from '../../src/thread/answer.ts';

/** Answers after so many milliseconds, which it is busy for; a negative number fails. */
answerWith((milliseconds: number) => {
  if (milliseconds < 0) throw new Error('a negative time');
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
  return milliseconds;
});
