/** The largest image, decoded. */
export const MOST_LOGO_BYTES = 800_000;

const DATA_ADDRESS = /^data:image\/(png|jpe?g);base64,([A-Za-z0-9+/]+={0,2})$/;
/** How the bytes of each kind begin, in base64. */
const BEGINNINGS: Readonly<Record<string, string>> = { png: 'iVBORw0KGgo', jpg: '/9j/', jpeg: '/9j/' };

/** What is wrong with a logo, as codes: it is a `data:` address of a PNG or JPEG, and of bounded size. */
export function logoCodes(address: string): string[] {
  const [, type = '', encoded = ''] = DATA_ADDRESS.exec(address) ?? [];
  const beginning = BEGINNINGS[type];
  if (beginning === undefined || !encoded.startsWith(beginning)) return ['invalid_content_type'];
  const bytes = Math.floor((encoded.replace(/=+$/, '').length * 3) / 4);
  return bytes > MOST_LOGO_BYTES ? ['invalid_size'] : [];
}
