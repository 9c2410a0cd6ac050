// Control characters, which JSON never holds as such: a hole in a text is its number, a colon, a JSON array and an end.
export const HOLE_BEGIN = '\u0001';
export const HOLE_END = '\u0002';
/** Stands before the number, where the hole is an object that several rows refer to: its identifier follows. */
export const SHARED = 's';
