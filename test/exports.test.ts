import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const sourceFiles = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?ts$/.test(name) && !/generated|node_modules/.test(name))
    .map((name) => join(root, folder, name))
    .map((path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));

const sources = sourceFiles('src');
// The seed is a program of its own.
const programs = [...sources, ...sourceFiles('prisma')];

/** What only tests take, though its own file does not use it. */
const KEPT = {
  'src/store/transfer/import/import.ts importDocument': 'what is imported from a file is in memory in tests',
  'src/store/transfer/import/json-schema.ts importSchema': 'prisma/import.schema.json is written from it',
};

/** Functions, classes and constants that a file exports; types are there to be read. */
function valuesOf(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
    const isValue = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    return isValue && statement.name ? [statement.name.text] : [];
  });
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));
}

const EVERYTHING = '*';

/** What a file takes of others, as `path name`; `*` where it takes a whole module, whose members it may read anywhere. */
function takenBy(file: ts.SourceFile): string[] {
  const taken: string[] = [];
  const take = (path: ts.Expression | undefined, names: readonly string[]) => {
    if (!path || !ts.isStringLiteralLike(path) || !path.text.startsWith('.')) return;
    const target = resolve(dirname(file.fileName), path.text);
    taken.push(...names.map((name) => `${target} ${name}`));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && node.importClause?.namedBindings)
      take(node.moduleSpecifier, importedNames(node.importClause.namedBindings));
    if (ts.isExportDeclaration(node))
      take(node.moduleSpecifier, node.exportClause ? importedNames(node.exportClause) : [EVERYTHING]);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      take(node.arguments[0], [EVERYTHING]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return taken;
}

function importedNames(bindings: ts.NamedImportBindings | ts.NamedExportBindings): string[] {
  if (ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings)) return [EVERYTHING];
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

const takenByPrograms = new Set(programs.flatMap(takenBy));
const takenByTests = new Set(sourceFiles('test').flatMap(takenBy));

const isTaken = (taken: Set<string>, file: ts.SourceFile, name: string) =>
  taken.has(`${file.fileName} ${name}`) || taken.has(`${file.fileName} ${EVERYTHING}`);

/** How often a name stands in its own file, as a name. */
function usesIn(file: ts.SourceFile, name: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) count++;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return count;
}

const shown = (file: ts.SourceFile, name: string) => `${file.fileName.slice(root.length + 1)} ${name}`;
const values = sources.flatMap((file) => valuesOf(file).map((name) => ({ file, name })));

const untaken = values.filter(({ file, name }) => !isTaken(takenByPrograms, file, name));

it('what a file exports is taken by another', () => {
  const unused = untaken.filter(({ file, name }) => !isTaken(takenByTests, file, name));
  expect(unused.map(({ file, name }) => shown(file, name))).toEqual([]);
  expect(values.length).toBeGreaterThan(500);
});

it('what only tests take is used in its own file, or kept for a reason', () => {
  const idle = untaken.filter(({ file, name }) => usesIn(file, name) < 2);
  expect(idle.map(({ file, name }) => shown(file, name)).sort()).toEqual(Object.keys(KEPT));
});
