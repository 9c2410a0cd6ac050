import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { App } from '../src/app.ts';

const CHROMIUM = '/usr/bin/chromium';

/** Whether tests in a browser can run here. */
export const hasBrowser = existsSync(CHROMIUM);

const QUIET = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'].concat([
  '--disable-component-update',
  '--disable-sync',
]);

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...QUIET] });

export interface Served {
  readonly origin: string;
  close(): Promise<void>;
}

/** The app on a free port of this machine. */
export async function serveApp(app: App): Promise<Served> {
  const server = createServer(app.listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${port}`, close };
}

/** Notes what a page asks of anyone but the server, and what it complains of. Call it before the page is opened. */
export function watch(page: Page, origin: string) {
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob|about):/.test(url)) foreign.push(url);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { foreign, complaints };
}
