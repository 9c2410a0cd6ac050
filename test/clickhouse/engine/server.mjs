// ClickHouse's engine behind so much of its HTTP interface as @clickhouse/client speaks. The first argument is the folder of its data;
// its port is its first line of output. It ends with its parent.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { Session } from 'chdb';

const session = new Session(process.argv[2]);
const OWN = /^(query|query_id|database|session_id|enable_http_compression|wait_end_of_query|send_progress.*)$/;
const settings = new Map();

function set(name, value) {
  if (OWN.test(name) || settings.get(name) === value) return;
  session.query(`SET ${name} = '${value}'`);
  settings.set(name, value);
}

async function answer(request) {
  const { pathname, searchParams } = new URL(request.url, 'http://engine');
  if (pathname === '/ping') return 'Ok.\n';
  const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request;
  const sent = await text(body);
  for (const [name, value] of searchParams) set(name, value);
  const query = searchParams.get('query');
  return session.query(query === null ? sent : `${query}\n${sent}`);
}

const server = createServer((request, response) => {
  answer(request).then(
    (result) => response.end(result ?? ''),
    (error) => {
      const code = error.clickhouseCode ?? /Code: (\d+)/.exec(error.message)?.[1] ?? 1000;
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(code) });
      const isWhole = /^Code: /.test(error.message);
      response.end(isWhole ? error.message : `Code: ${code}. DB::Exception: ${error.message} (UNKNOWN)`);
    },
  );
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume().on('end', () => process.exit(0));
