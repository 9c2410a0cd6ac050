// Writes what graphql-codegen's client preset makes of the documents beside it, as its command line does.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { buildASTSchema, parse } from 'graphql';

const read = (path) => readFile(new URL(path, import.meta.url), 'utf8');
const config = JSON.parse(process.argv[2] ?? (await read('./codegen.json')));
const schema = parse(await read('../../../schema.graphql'));
const rawSDL = await read('./document.graphql');
const documents = [{ location: 'document.graphql', document: parse(rawSDL), rawSDL }];

const baseOutputDir = new URL('./generated/', import.meta.url).pathname;
const sections = await preset.buildGeneratesSection({
  baseOutputDir,
  schema,
  schemaAst: buildASTSchema(schema),
  documents,
  config,
  presetConfig: { fragmentMasking: false },
  plugins: [],
  pluginMap: {},
});
for (const section of sections) {
  await mkdir(dirname(section.filename), { recursive: true });
  await writeFile(section.filename, await codegen({ ...section, schema }));
  console.log(basename(section.filename));
}
