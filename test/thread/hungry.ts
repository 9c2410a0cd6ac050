import { answerWith } from '../../src/thread/answer.ts';

/** Holds so many thousand objects at once, and answers their number. */
answerWith((thousands: number) => {
  const held: object[] = [];
  for (let at = 0; at < thousands * 1000; at += 1) held.push({ at, text: `text ${at}` });
  return held.length / 1000;
});
