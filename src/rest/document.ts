import { type DocumentNode, parse } from 'graphql';

/** Parses an operation with its fragments, each once although several fragments may bring it along. */
export function document(operation: string, ...fragments: string[]): DocumentNode {
  const { definitions, ...rest } = parse([operation, ...fragments].join('\n'));
  const names = new Set<string>();
  const once = definitions.filter((definition) => {
    const name = 'name' in definition ? `${definition.kind} ${definition.name?.value}` : definition.kind;
    return !names.has(name) && names.add(name);
  });
  return { ...rest, definitions: once };
}
