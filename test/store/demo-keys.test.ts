import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepareDemo } from '../../src/command/demo.ts';
import { openDatabase } from '../../src/store/database/database.ts';

const SCRIPT = new URL('./killed-demo.ts', import.meta.url).pathname;

it('a start that is killed between the demo and its keys leaves neither; the next one makes both', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  const db = await openDatabase({ dataDir: folder });
  try {
    expect([await db.prisma.organization.count(), await db.prisma.apiKey.count()]).toEqual([0, 0]);
    expect(await prepareDemo(db, new Date())).toMatchObject({ secretKey: 'sk_svc_demo' });
    const keys = await db.prisma.apiKey.findMany({ include: { organization: true } });
    expect(keys.map(({ kind, organization }) => `${organization.name} ${kind}`).sort()).toEqual([
      'Quintavel publishable',
      'Quintavel secret',
      'Trial secret',
    ]);
  } finally {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 240_000);
