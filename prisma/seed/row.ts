import { idOf } from './random.ts';

/** When the organizations set up what they sell. */
export const FOUNDED = '2024-09-16T08:00:00Z';

/** What every row of a catalogue has. */
export const row = (kind: string, owner: string, code: string) => ({
  svc_id: idOf(kind, owner, code),
  code,
  created_at: FOUNDED,
  updated_at: FOUNDED,
});
