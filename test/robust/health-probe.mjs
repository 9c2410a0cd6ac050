// Asks /health again and again, in a thread of its own: what keeps the test busy does not count as the gateway's time.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, pause, pid } = workerData;
const agent = new Agent({ keepAlive: true });
const times = [];
let isOver = false;

// Milliseconds for which the gateway's main thread was ready to go on and other programs had the processors; 0 where the system
// does not tell.
const waited = () => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
};

const ask = () =>
  new Promise((resolve, reject) => {
    const [before, waitedBefore] = [performance.now(), waited()];
    const request = get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => {
        times.push(performance.now() - before - (waited() - waitedBefore));
        if (response.statusCode === 200) resolve();
        else reject(new Error(`health answers ${response.statusCode}`));
      });
    });
    request.on('error', reject);
  });

parentPort.on('message', () => {
  isOver = true;
});
const waitedAtFirst = waited();
while (!isOver) {
  await ask();
  await new Promise((done) => setTimeout(done, pause));
}
agent.destroy();
parentPort.postMessage({ times, waited: waited() - waitedAtFirst });
parentPort.close();
