// Nothing that is seen, which copied addresses bring along: spaces of no width, marks of direction, the soft hyphen.
const INVISIBLE = /[\p{Cf}\p{Cc}]/gu;

// What a mail server takes for an address is its own affair: one @, a name before it, a domain with a point after it.
const EMAIL = /^[^\s@,;<>()[\]\\"]+@[^\s@,;<>()[\]\\".]+(\.[^\s@,;<>()[\]\\".]+)+$/u;

/** The addresses of a text that has commas between them, without what is not seen: `" a@x.org, b@x.org"` are two. */
export const emailsIn = (text: string): string[] =>
  text
    .replace(INVISIBLE, '')
    .split(',')
    .map((one) => one.trim());

/** Whether a text is one address: `ada@example.com` is, `ada@localhost` is not. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
