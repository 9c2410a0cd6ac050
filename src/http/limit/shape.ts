import {
  type ASTVisitor,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

/** What can be told of an operation before its variables are known. */
export interface ShapeLimits {
  /** Most fields below one another. */
  readonly depth: number;
  /** Most fields that are given another name, counted wherever their fragment is spread. */
  readonly aliases: number;
  readonly directives: number;
}

type Shape = ShapeLimits;

const NOTHING: Shape = { depth: 0, aliases: 0, directives: 0 };

/** The code of every operation that asks for more than it may. */
export const TOO_COMPLEX = 'query_too_complex';

export const tooComplex = (message: string, nodes?: OperationDefinitionNode): GraphQLError =>
  new GraphQLError(message, { nodes, extensions: { code: TOO_COMPLEX } });

/** Measures selections; every fragment once, however often it is spread, so that no document takes long. */
class Measure {
  private readonly known = new Map<string, Shape>();

  constructor(private readonly fragment: (name: string) => FragmentDefinitionNode | null | undefined) {}

  of(selections: SelectionSetNode | undefined): Shape {
    let { depth, aliases, directives } = NOTHING;
    for (const selection of selections?.selections ?? []) {
      const inner = this.ofSelection(selection);
      depth = Math.max(depth, inner.depth);
      aliases += inner.aliases;
      directives += inner.directives + (selection.directives?.length ?? 0);
    }
    return { depth, aliases, directives };
  }

  private ofSelection(selection: SelectionNode): Shape {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.ofFragment(selection.name.value);
    const inner = this.of(selection.selectionSet);
    if (selection.kind === Kind.INLINE_FRAGMENT) return inner;
    // The depth of introspection has a rule of its own in GraphQL.
    const depth = selection.name.value.startsWith('__') ? 1 : 1 + inner.depth;
    return { ...inner, depth, aliases: inner.aliases + (selection.alias ? 1 : 0) };
  }

  private ofFragment(name: string): Shape {
    const known = this.known.get(name);
    if (known) return known;
    this.known.set(name, NOTHING); // a fragment within itself is another rule's error
    const shape = this.of(this.fragment(name)?.selectionSet);
    this.known.set(name, shape);
    return shape;
  }
}

/** Refuses operations that are too deep or have too many aliases or directives. */
export function shapeRule(limits: ShapeLimits) {
  return function limitShape(context: ValidationContext): ASTVisitor {
    const measure = new Measure((name) => context.getFragment(name));
    return {
      OperationDefinition(operation) {
        const found = measure.of(operation.selectionSet);
        const all = { ...found, directives: found.directives + (operation.directives?.length ?? 0) };
        const report = (text: string) => context.reportError(tooComplex(text, operation));
        const { depth, aliases, directives } = limits;
        if (all.depth > depth) report(`The operation is ${all.depth} fields deep; at most ${depth} are allowed.`);
        if (all.aliases > aliases) report(`The operation has ${all.aliases} aliases; at most ${aliases} are allowed.`);
        if (all.directives > directives)
          report(`The operation has ${all.directives} directives; at most ${directives} are allowed.`);
      },
    };
  };
}
