import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { fileOf } from './peer.ts';

const readme = await readFile(fileOf('../../README.md'), 'utf8');
const jsonOf = async (path: string) => JSON.parse(await readFile(fileOf(path), 'utf8'));

/** The settings that a line of the README gives in code. */
const settingsOf = (client: string) =>
  JSON.parse(`{${new RegExp(`^- ${client}[^\`]*\`([^\`]+)\``, 'm').exec(readme)?.[1]}}`);

it('what the README tells graphql-codegen and Relay to be set to is what the apps here are set to', async () => {
  expect(settingsOf('graphql-codegen').config).toEqual(await jsonOf('apollo/codegen.json'));
  expect(await jsonOf('relay/relay.config.json')).toMatchObject(settingsOf('relay-compiler'));
});

it('the line of Apollo Client pages as the app here does', async () => {
  const [, paging] = /(relayStylePagination\([^)]*\))/.exec(readme) ?? [];
  expect(await readFile(fileOf('apollo/client.ts'), 'utf8')).toContain(`const pages = ${paging};`);
});
