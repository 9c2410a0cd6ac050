import {
  type ASTVisitor,
  type ConstValueNode,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Route, RouteRequest } from '../route.ts';
import type { JsonSchema } from './json.ts';
import { OpenApiError, type Shapes } from './shape.ts';
import { OF_PARAMETERS, restWording } from './wording.ts';

/** A variable of a route's document and the argument, or the member of one, that it is given to. */
interface Variable {
  readonly type: GraphQLInputType;
  /** `Type.field.argument`, or `Input.member`. */
  readonly place: string;
  readonly description: string | undefined;
  readonly defaultValue: unknown;
}

/** The variables of a document by their names. */
function variablesOf(schema: GraphQLSchema, route: Route, operation: OperationDefinitionNode): Map<string, Variable> {
  const info = new TypeInfo(schema);
  const uses = new Map<string, { place: string; argument: Pick<GraphQLArgument, 'description'> }>();
  // What the member is that bounds stand in, which say nothing without it.
  let range = '';
  const enter: ASTVisitor = {
    Argument({ value }) {
      const argument = info.getArgument();
      if (value.kind !== Kind.VARIABLE || !argument) return;
      const place = `${info.getParentType()?.name}.${info.getFieldDef()?.name}.${argument.name}`;
      uses.set(value.name.value, { place, argument });
    },
    ObjectField({ name, value }) {
      const parent = getNamedType(info.getParentInputType());
      const field = isInputObjectType(parent) ? parent.getFields()[name.value] : undefined;
      if (value.kind === Kind.OBJECT) range = `${field?.description ?? ''} `;
      if (value.kind !== Kind.VARIABLE || !isInputObjectType(parent) || !field) return;
      const description = `${parent.name.endsWith('Range') ? range : ''}${field.description ?? ''}`;
      uses.set(value.name.value, { place: `${parent.name}.${name.value}`, argument: { description } });
    },
  };
  visit(route.document, visitWithTypeInfo(info, enter));
  const definitions = operation.variableDefinitions ?? [];
  return new Map(
    definitions.map(({ variable, type, defaultValue }) => {
      const { place = '', argument } = uses.get(variable.name.value) ?? {};
      const value = defaultValue && valueFromASTUntyped(defaultValue as ConstValueNode);
      const description = argument?.description ? restWording(argument.description) : undefined;
      const known = { type: typeFromAST(schema, type) as GraphQLInputType, place, description };
      return [variable.name.value, { ...known, defaultValue: value }];
    }),
  );
}

const NOTHING: RouteRequest = { params: {}, query: {}, body: {} };

/** The variable that a part of the request ends up in. */
function reached(route: Route, part: Partial<RouteRequest>): string {
  const before = route.variables(NOTHING);
  const after = route.variables({ ...NOTHING, ...part });
  const name = Object.keys(after).find((candidate) => after[candidate] !== before[candidate]);
  if (name === undefined) throw new OpenApiError(`${route.operation} reads nothing of ${JSON.stringify(part)}`);
  return name;
}

/** Reads the members of a body as a route does: each one is its own name in brackets. */
function membersRead(route: Route): Map<string, string> {
  const names = new Map<unknown, string>();
  const body = new Proxy({} as Record<string, unknown>, {
    get: (_, name) => {
      const mark = { member: name };
      names.set(mark, String(name));
      return mark;
    },
  });
  const found = Object.entries(route.variables({ ...NOTHING, body })).flatMap(([variable, value]) => {
    if (value === body) return [['', variable] as const];
    const name = names.get(value);
    return name === undefined ? [] : [[name, variable] as const];
  });
  return new Map(found);
}

export const takesBody = ({ root, body }: Route): boolean => root !== undefined || body === true;

/** What a route reads of a request, by the variables of its document. */
export class RequestReader {
  private readonly variables: Map<string, Variable>;

  constructor(
    schema: GraphQLSchema,
    private readonly route: Route,
    operation: OperationDefinitionNode,
    private readonly shapes: Shapes,
  ) {
    this.variables = variablesOf(schema, route, operation);
  }

  private variable(name: string): Variable {
    const variable = this.variables.get(name);
    if (!variable) throw new OpenApiError(`${this.route.operation} has no variable ${name}`);
    return variable;
  }

  private parameter(place: 'path' | 'query', name: string, probe: Partial<RouteRequest>, example: unknown) {
    const { type, place: argument, description, defaultValue } = this.variable(reached(this.route, probe));
    const taken = this.shapes.given(type, argument);
    // One value of what the document takes several of.
    const isOne = taken.type === 'array' && !name.endsWith('[]');
    const schema = isOne ? (taken.items as JsonSchema) : taken;
    return {
      name,
      in: place,
      required: place === 'path',
      ...(description && { description: [description, OF_PARAMETERS[name]].filter(Boolean).join(' ') }),
      schema: defaultValue === undefined ? schema : { ...schema, default: defaultValue },
      ...(example !== undefined && { example }),
    };
  }

  /** Parameters of the path, then of the query. */
  parameters(examples: Readonly<Record<string, unknown>>) {
    const inPath = [...this.route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const inQuery = this.route.query ?? [];
    return [
      ...inPath.map((name) => this.parameter('path', name, { params: { [name]: '1' } }, examples[name])),
      ...inQuery.map((name) => {
        const query = { [name]: name.endsWith('[]') ? ['1'] : '1' };
        return this.parameter('query', name, { query }, examples[name]);
      }),
    ];
  }

  /** The schema of the body; undefined where the route takes none. */
  body(): JsonSchema | undefined {
    if (!takesBody(this.route)) return undefined;
    const members = membersRead(this.route);
    const whole = members.get('');
    if (whole !== undefined) {
      const { type, place } = this.variable(whole);
      const schema = this.shapes.given(type, place);
      const { root } = this.route;
      if (!root) return schema;
      this.shapes.demandMember(getNamedType(type).name);
      return { type: 'object', properties: { [root]: schema }, required: [root] };
    }
    const properties = [...members].map(([member, variable]) => {
      const { type, place, description } = this.variable(variable);
      return [member, { ...this.shapes.input(type, place), ...(description && { description }) }] as const;
    });
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
}
