// Asks /health again and again, in a thread of its own: what keeps the test busy does not count as the gateway's time.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, pause } = workerData;
const agent = new Agent({ keepAlive: true });
const times = [];
let isOver = false;

const ask = () =>
  new Promise((resolve, reject) => {
    const before = performance.now();
    const request = get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => {
        times.push(performance.now() - before);
        if (response.statusCode === 200) resolve();
        else reject(new Error(`health answers ${response.statusCode}`));
      });
    });
    request.on('error', reject);
  });

parentPort.on('message', () => {
  isOver = true;
});
while (!isOver) {
  await ask();
  await new Promise((done) => setTimeout(done, pause));
}
agent.destroy();
parentPort.postMessage(times);
parentPort.close();
