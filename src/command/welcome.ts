import { sinceStart } from './progress.ts';

export interface Demo {
  /** Whether this start has loaded it. */
  readonly isNew: boolean;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** Of an empty organization whose clock is moved by hand. */
  readonly trialKey?: string | undefined;
  /** A GET path below /api/v1 that answers with demo data. */
  readonly path: string;
  /** A GraphQL query on one line that answers with demo data. */
  readonly query: string;
}

const curlQuery = (address: string, { secretKey, query }: Demo) =>
  `curl ${address}/graphql -H 'Authorization: Bearer ${secretKey}' -H 'Content-Type: application/json' -d '${JSON.stringify({ query })}'`;

/** What someone who has just started the gateway needs: the address and, with demo data, lines that work when pasted. */
export function printWelcome({ address, demo }: { address: string; demo?: Demo | undefined }): void {
  const lines = [
    `The billing gateway listens on ${address} (${sinceStart()} after its start)`,
    `GraphiQL: ${address}/graphql   REST: ${address}/api/v1`,
  ];
  if (demo) {
    const found = demo.isNew ? 'The demo data was loaded.' : 'The database holds the demo data of an earlier start.';
    lines.push('', `${found} Its keys, for this machine unless DEMO_KEYS=anywhere:`);
    lines.push(`  secret       ${demo.secretKey}`, `  publishable  ${demo.publishableKey}`);
    if (demo.trialKey) lines.push(`  trial        ${demo.trialKey} (an empty organization whose clock you move)`);
    lines.push('', 'Try:');
    lines.push(`  curl ${address}/api/v1${demo.path} -H 'Authorization: Bearer ${demo.secretKey}'`);
    lines.push(`  ${curlQuery(address, demo)}`, '', 'Or in GraphiQL, which has the key already:', `  ${demo.query}`);
  } else {
    lines.push('', 'Make a key: npm run keys -- create --organization NAME --create-organization');
  }
  console.log(`${lines.join('\n')}\n`);
}
