// Asks /health again and again, in a thread of its own: what keeps the test busy does not count as the gateway's time.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, pause, pid } = workerData;
const agent = new Agent({ keepAlive: true });
const times = [];
let isOver = false;

// Milliseconds for which the gateway's main thread ran, and for which it was ready to go on and other programs had the processors;
// 0 where the system does not tell.
const scheduled = () => {
  try {
    const [ran, waited] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
  } catch {
    return { ran: 0, waited: 0 };
  }
};

const ask = () =>
  new Promise((resolve, reject) => {
    const [before, waitedBefore] = [performance.now(), scheduled().waited];
    const request = get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => {
        times.push(performance.now() - before - (scheduled().waited - waitedBefore));
        if (response.statusCode === 200) resolve();
        else reject(new Error(`health answers ${response.statusCode}`));
      });
    });
    request.on('error', reject);
  });

parentPort.on('message', () => {
  isOver = true;
});
const atFirst = scheduled();
while (!isOver) {
  await ask();
  await new Promise((done) => setTimeout(done, pause));
}
agent.destroy();
const atLast = scheduled();
parentPort.postMessage({ times, waited: atLast.waited - atFirst.waited, ran: atLast.ran - atFirst.ran });
parentPort.close();
