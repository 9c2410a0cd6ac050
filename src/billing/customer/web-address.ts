const WEB_ADDRESS = /^(https?:\/\/)?[^\s/:?#@]+(:\d+)?([/?#]\S*)?$/i;

/** Whether a text is an address that can be called over http or https, which it begins with. */
export const isHookAddress = (text: string): boolean =>
  /^https?:\/\/[^/?#\s]/i.test(text.trim()) && URL.canParse(text.trim());

/** Whether a text is an address that http or https leads to: `https://example.com/a` is, and `example.com`; `javascript:a()` is none. */
export const isWebAddress = (text: string): boolean => WEB_ADDRESS.test(text);
