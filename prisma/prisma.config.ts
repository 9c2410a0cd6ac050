import { defineConfig } from 'prisma/config';

// The CLI asks for a native engine even where it needs none; any executable satisfies it and nothing is downloaded.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;
process.env.PRISMA_HIDE_UPDATE_MESSAGE ??= '1';
process.env.CHECKPOINT_DISABLE ??= '1';

export default defineConfig({ schema: 'schema.prisma' });
