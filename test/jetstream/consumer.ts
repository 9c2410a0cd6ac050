// A process that stores from a stream until it is killed: EVENTS_BUFFER_URL, and DATABASE_URL or DATA_DIR.
import { openDatabase } from '../../src/store/database/database.ts';
import { openJetStream } from '../../src/store/jetstream/jetstream-events.ts';

const { DATABASE_URL: url, DATA_DIR: dataDir = '', EVENTS_BUFFER_URL: buffer = '' } = process.env;
const db = await openDatabase({ url, dataDir });
const stream = await openJetStream(buffer);
stream.store(db.prisma, (error) => console.error(error));
console.log('storing');
