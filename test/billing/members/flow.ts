import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/** An optional member of a type, or an optional parameter. */
export type Optional = ts.PropertySignature | ts.ParameterDeclaration;
/** Where a value comes from: an optional member that may be absent itself, or anything that is there. */
type Origin = Optional | 'there';

const ROOT = resolve(import.meta.dirname, '../../..');
const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config;
const { fileNames, options } = ts.parseJsonConfigFileContent({ ...config, include: ['src'] }, ts.sys, ROOT);
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();

/** Path in src/. */
export const pathOf = (node: ts.Node) => relative(join(ROOT, 'src'), node.getSourceFile().fileName);
const isOurs = (node: ts.Node) => !pathOf(node).startsWith('..') && !pathOf(node).includes('generated');
const isRule = (node: ts.Node) => pathOf(node).startsWith('billing/');

/** The files of src/, without what is generated. */
export const files = program.getSourceFiles().filter(isOurs);

/** Those that the layers above the rules lead to. */
export const reached = new Set<ts.SourceFile>();
const open = files.filter((file) => !isRule(file));
const FROM = /^(?:import|export)\s(?:[^'"]*?\sfrom\s)?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;
for (let file = open.pop(); file !== undefined; file = open.pop()) {
  if (reached.has(file)) continue;
  reached.add(file);
  for (const [, fixed, late] of file.text.matchAll(FROM)) {
    const next = program.getSourceFile(resolve(dirname(file.fileName), fixed ?? late ?? ''));
    if (next && isOurs(next)) open.push(next);
  }
}

function isOptional(node: ts.Node): node is Optional {
  if (ts.isPropertySignature(node)) return node.questionToken !== undefined && isRule(node);
  return ts.isParameter(node) && (node.questionToken ?? node.initializer) !== undefined && isRule(node);
}

/** The optional members and parameters of the rules that the layers above lead to. */
export function optionals(): Optional[] {
  const found: Optional[] = [];
  const visit = (node: ts.Node): void => {
    if (isOptional(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  for (const file of reached) visit(file);
  return found;
}

const given = new Map<Optional, Set<Origin>>();
const give = (to: Optional, from: Origin) => given.set(to, (given.get(to) ?? new Set<Origin>()).add(from));

const EITHER: readonly ts.SyntaxKind[] = [ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken];

/** Null and undefined come from nowhere. */
function originsOf(value: ts.Expression): Origin[] {
  const isWrapped = ts.isParenthesizedExpression(value) || ts.isAsExpression(value) || ts.isNonNullExpression(value);
  if (isWrapped) return originsOf(value.expression);
  if (value.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(value) && value.text === 'undefined')) return [];
  if (ts.isConditionalExpression(value)) return [value.whenTrue, value.whenFalse].flatMap(originsOf);
  if (ts.isBinaryExpression(value) && EITHER.includes(value.operatorToken.kind)) {
    return [value.left, value.right].flatMap(originsOf);
  }
  const named = ts.isPropertyAccessExpression(value) ? value.name : value;
  const symbol = ts.isIdentifier(named) ? checker.getSymbolAtLocation(named) : undefined;
  return symbol ? originsOfSymbol(symbol) : ['there'];
}

// What has no declaration is made up from other types: columns of rows, arguments of fields.
function originsOfSymbol({ declarations = [] }: ts.Symbol): Origin[] {
  return declarations.length === 0 ? ['there'] : declarations.flatMap(originsOfDeclaration);
}

function originsOfDeclaration(node: ts.Declaration): Origin[] {
  if (isOptional(node)) return [node];
  if (ts.isPropertyAssignment(node)) return originsOf(node.initializer);
  if (ts.isVariableDeclaration(node) && node.initializer && ts.isIdentifier(node.name))
    return originsOf(node.initializer);
  if (ts.isShorthandPropertyAssignment(node)) {
    const value = checker.getShorthandAssignmentValueSymbol(node);
    return value ? originsOfSymbol(value) : ['there'];
  }
  if (!ts.isBindingElement(node) || node.dotDotDotToken || !ts.isObjectBindingPattern(node.parent)) return ['there'];
  const name = (node.propertyName ?? node.name).getText();
  const member = checker.getTypeAtLocation(node.parent).getProperty(name);
  return [
    ...(member ? originsOfSymbol(member) : ['there' as const]),
    ...(node.initializer ? originsOf(node.initializer) : []),
  ];
}

const isObject = ({ flags }: ts.Type) => (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
const elementOf = (type: ts.Type) => checker.getIndexTypeOfType(type, ts.IndexKind.Number);
const entryOf = (type: ts.Type) => checker.getIndexTypeOfType(type, ts.IndexKind.String);
const declaredOptional = ({ declarations = [] }: ts.Symbol) => declarations.filter(isOptional);

const pairs = new Map<ts.Type, Set<ts.Type>>();
const DEEPEST = 8;

/** A value of one type is used as one of another: what it has of the other's optional members is given to them. */
function pass(from: ts.Type, to: ts.Type, depth = 0): void {
  if (from === to || depth > DEEPEST || pairs.get(from)?.has(to)) return;
  pairs.set(from, (pairs.get(from) ?? new Set()).add(to));
  const bound = to.flags & ts.TypeFlags.TypeParameter ? checker.getBaseConstraintOfType(to) : undefined;
  if (bound) pass(from, bound, depth);
  else if (to.isUnion()) for (const one of to.types) pass(from, one, depth);
  else if (from.isUnion()) for (const one of from.types) pass(one, to, depth);
  else if (isObject(from) && isObject(to)) passMembers(from, to, depth);
}

function passMembers(from: ts.Type, to: ts.Type, depth: number): void {
  for (const inner of [elementOf, entryOf, ...argumentsOf(to)]) {
    const [source, target] = [inner(from), inner(to)];
    if (source && target) pass(source, target, depth + 1);
  }
  if (checker.isArrayLikeType(from) || checker.isArrayLikeType(to)) return;
  for (const member of to.getProperties()) {
    const source = from.getProperty(member.name);
    if (!source || source === member) continue;
    for (const one of declaredOptional(member)) for (const origin of originsOfSymbol(source)) give(one, origin);
    pass(checker.getTypeOfSymbol(source), checker.getTypeOfSymbol(member), depth + 1);
  }
}

/** The arguments of a generic class or interface, such as a map's. */
function argumentsOf(type: ts.Type): ((one: ts.Type) => ts.Type | undefined)[] {
  const { target } = type as ts.TypeReference;
  if (target === undefined) return [];
  return checker.getTypeArguments(type as ts.TypeReference).map((_, index) => (one) => {
    const reference = one as ts.TypeReference;
    return reference.target === target ? checker.getTypeArguments(reference)[index] : undefined;
  });
}

const isUnknown = (type: ts.Type): boolean =>
  (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0 ||
  (type.isUnion() ? type.types.some(isUnknown) : entryOf(type) !== undefined);

/** JSON that is taken for a type may have all of its members. */
function fill(type: ts.Type, depth = 0): void {
  if (depth > DEEPEST) return;
  const element = elementOf(type);
  for (const one of type.isUnion() ? type.types : element ? [element] : []) fill(one, depth + 1);
  for (const member of isObject(type) && !element ? type.getProperties() : []) {
    for (const one of declaredOptional(member)) give(one, 'there');
    if (member.declarations?.some(isRule)) fill(checker.getTypeOfSymbol(member), depth + 1);
  }
}

function passArguments(call: ts.CallExpression | ts.NewExpression): void {
  const declaration = checker.getResolvedSignature(call)?.declaration;
  for (const [index, parameter] of (declaration?.parameters ?? []).entries()) {
    const value = call.arguments?.[index];
    if (!value || !ts.isParameter(parameter) || !isRule(parameter)) continue;
    if (isOptional(parameter)) for (const origin of originsOf(value)) give(parameter, origin);
    pass(checker.getTypeAtLocation(value), checker.getTypeAtLocation(parameter));
  }
}

function follow(node: ts.Node): void {
  if (ts.isExpression(node)) {
    const wanted = checker.getContextualType(node);
    if (wanted) pass(checker.getTypeAtLocation(node), wanted);
  }
  if (ts.isAsExpression(node) && isUnknown(checker.getTypeAtLocation(node.expression))) {
    fill(checker.getTypeAtLocation(node));
  }
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) passArguments(node);
  ts.forEachChild(node, follow);
}

// Files that know neither the rules nor what calls them give them nothing.
const NAMES_RULES = /^(?:import|export)\s[^;]*?'[^']*\/(?:billing|engine)\//m;

/** The optional members and parameters that something reached gives a value, over however many others. */
export function givenOptionals(): Set<Optional> {
  for (const file of reached) if (isRule(file) || NAMES_RULES.test(file.text)) follow(file);
  const there = new Set<Optional>();
  const isThere = (origin: Origin) => origin === 'there' || there.has(origin);
  for (let before = -1; before < there.size; ) {
    before = there.size;
    for (const [one, origins] of given) if ([...origins].some(isThere)) there.add(one);
  }
  return there;
}

/** The type or function that a member or parameter belongs to, by its name. */
export function ownerOf(one: Optional): string {
  let node: ts.Node = one.parent;
  while (node.parent && !ts.isSourceFile(node.parent)) {
    if (
      (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isFunctionDeclaration(node)) &&
      node.name
    )
      break;
    node = node.parent;
  }
  const named = node as ts.Node & { readonly name?: ts.Node };
  return named.name?.getText() ?? 'unnamed';
}
