import { pino } from 'pino';
import { Worker } from '../../src/jobs/worker.ts';
import { openDatabase } from '../../src/store/database/database.ts';

// A worker that is going to be killed: it takes others for dead after some seconds, and lets happen what was due in its own time. A job is killed
// many times and fails of nothing else: it need not wait longer each time.
const db = await openDatabase({ url: process.env.DATABASE_URL, poolSize: 4 });
const logger = pino({ level: 'error' }, pino.destination({ dest: 2, sync: true }));
const timing = { expireSeconds: 10, retrySeconds: 1, backsOff: false, retries: 100, superviseSeconds: 1 };
const worker = await Worker.start({ db, logger, timing, planEvery: 200, pollEvery: 50, customersOfJob: 20 });
console.log('working');
await new Promise((resolve) => process.once('SIGTERM', resolve));
await worker.stop();
await db.close();
