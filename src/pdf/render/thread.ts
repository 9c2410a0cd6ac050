import { Worker } from 'node:worker_threads';
import type { InvoiceDocument } from '../invoice-document.ts';
import type { Rendered } from './worker.ts';

const LONGEST = 25_000;
// Starting a thread takes a second, keeping one about fifty megabytes.
const IDLE = 10 * 60_000;
const MEMORY = { maxOldGenerationSizeMb: 512 };

// The threads are TypeScript like the rest; a thread does not take the loader of the program over, so it registers its own.
const START = `Promise.resolve(require('node:worker_threads').workerData).then(async ({ loader, file }) => {
  (await import(loader)).register();
  await import(file);
});`;
const FILES = {
  loader: import.meta.resolve('tsx/esm/api'),
  file: new URL('./worker.ts', import.meta.url).href,
};

/** A thread that renders one document at a time. It is started when needed and given up after ten minutes without work. */
export class RenderThread {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;

  /** Throws when the document cannot be rendered, or not within the time or memory that one document may take. */
  async render(document: InvoiceDocument): Promise<Uint8Array> {
    clearTimeout(this.idle);
    this.worker ??= this.start();
    const { worker } = this;
    try {
      const answer = await this.ask(worker, document);
      if ('fault' in answer) throw new Error(`the document cannot be rendered: ${answer.fault}`);
      return answer.bytes;
    } finally {
      worker.unref();
      this.idle = setTimeout(() => void this.close(), IDLE).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(START, { eval: true, execArgv: [], workerData: FILES, resourceLimits: MEMORY });
    const forget = () => {
      if (this.worker === worker) this.worker = undefined;
    };
    worker.on('error', forget);
    worker.on('exit', forget);
    return worker;
  }

  private ask(worker: Worker, document: InvoiceDocument): Promise<Rendered> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void worker.terminate(), LONGEST);
      const end = (settle: () => void) => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        settle();
      };
      const onMessage = (answer: Rendered) => end(() => resolve(answer));
      const onError = (error: unknown) => end(() => reject(error));
      const onExit = () => end(() => reject(new Error('the rendering was given up')));
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      worker.ref();
      worker.postMessage(document);
    });
  }
}
