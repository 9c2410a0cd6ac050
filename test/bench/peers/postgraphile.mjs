// PostGraphile 5 with its own preset, nothing hidden and nothing added.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'], poolConfig: { max: 10 } })],
  grafserv: { graphiql: false, watch: false },
});
const server = createServer();
await pgl.createServ(grafserv).addTo(server);
await pgl.getSchema();
server.listen(Number(process.env.PORT), '127.0.0.1');
