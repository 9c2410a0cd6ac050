import type { Logger } from 'pino';
import type { VatChecker } from '../../graphql/context.ts';

export interface ViesOptions {
  /** Where the service of the register is: `https://ec.europa.eu/taxation_customs/vies/rest-api`. */
  readonly url: string;
  /** Milliseconds for an answer. */
  readonly milliseconds?: number;
  readonly logger: Logger;
  readonly fetch?: typeof fetch;
}

const MOST_CHARACTERS = 100_000;

/** Asks the register of the EU (VIES) over its REST service, `POST /check-vat-number`. What it does not answer in time it does not know now. */
export function viesChecker({ url, milliseconds = 3000, logger, fetch: ask = fetch }: ViesOptions): VatChecker {
  const address = `${url.replace(/\/+$/, '')}/check-vat-number`;
  return async ({ prefix, digits }) => {
    try {
      const response = await ask(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ countryCode: prefix, vatNumber: digits }),
        signal: AbortSignal.timeout(milliseconds),
        redirect: 'error',
      });
      const text = await response.text();
      if (text.length > MOST_CHARACTERS) return 'unavailable';
      const { valid, errorWrappers } = JSON.parse(text) as { valid?: unknown; errorWrappers?: { error?: unknown }[] };
      if (response.ok && typeof valid === 'boolean') return valid ? 'valid' : 'invalid';
      const errors = (errorWrappers ?? []).map(({ error }) => error);
      if (errors.includes('INVALID_INPUT')) return 'invalid';
      logger.warn({ status: response.status, errors }, 'the register of VAT numbers does not answer');
    } catch (error) {
      logger.warn({ err: error }, 'the register of VAT numbers is not reached');
    }
    return 'unavailable';
  };
}
