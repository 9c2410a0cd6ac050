import {
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isUnionType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { snakeCase } from '../../billing/name-case.ts';
import { bounded, INPUT_SHAPES, type Limit, MANDATORY, type Rule, ruledList, ruledShape } from './input.ts';
import { JSON_COMPONENTS, JSON_SHAPES, type JsonSchema, SCALARS } from './json.ts';
import { restWording } from './wording.ts';

/** A document asks for something that cannot be described; the message says what. */
export class OpenApiError extends Error {
  override readonly name = 'OpenApiError';
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The same schema, or null. */
function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return 'anyOf' in schema || '$ref' in schema ? eitherNull(schema) : schema;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, 'null'], ...values };
}

const eitherNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

const described = (schema: JsonSchema, description: string | null | undefined): JsonSchema =>
  description ? { ...schema, description: restWording(description) } : schema;

function enumSchema(type: GraphQLEnumType): JsonSchema {
  // What is none of its values is written as it is stored.
  if (type.extensions.isOpen) return { type: 'string' };
  return { type: 'string', enum: type.getValues().map(({ name }) => name) };
}

/**
 * The schemas of what documents select and take: fragments become components, aliases property names. `components` grows
 * with what has been described.
 */
export class Shapes {
  readonly components: Record<string, JsonSchema> = {};

  constructor(private readonly schema: GraphQLSchema) {}

  private refer(name: string, make: () => JsonSchema): JsonSchema {
    if (!(name in this.components)) {
      this.components[name] = {}; // holds the place while the object refers to itself
      this.components[name] = make();
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Makes an input object ask for one member at least: the wire takes an empty one for none. */
  demandMember(name: string): void {
    this.components[name] = { ...this.components[name], minProperties: 1 };
  }

  /** A leaf; what JSON holds is looked up by the `place` that defines it. */
  leaf(name: string, place: string): JsonSchema {
    if (name !== 'JSON') {
      const scalar = SCALARS[name];
      if (!scalar) throw new OpenApiError(`the scalar ${name} has no schema`);
      return scalar;
    }
    const shape = this.jsonAt(place);
    if (!shape) throw new OpenApiError(`the JSON of ${place} has no schema`);
    for (const [component, made] of Object.entries(JSON_COMPONENTS)) {
      if (shape.$ref === `#/components/schemas/${component}`) this.refer(component, () => made);
    }
    return shape;
  }

  // What an interface shows is stated where an object of it is defined.
  private jsonAt(place: string): JsonSchema | undefined {
    const [parent = '', ...rest] = place.split('.');
    const type = this.schema.getType(parent);
    const objects = isInterfaceType(type) ? this.schema.getImplementations(type).objects : [];
    const places = [parent, ...objects.map(({ name }) => name)].map((name) => [name, ...rest].join('.'));
    return places.map((candidate) => JSON_SHAPES[candidate]).find((shape) => shape !== undefined);
  }

  /** What a selection of an object answers: its properties are all there. */
  selected(type: GraphQLCompositeType, set: SelectionSetNode, fragments: Fragments): JsonSchema {
    const [first, ...others] = set.selections;
    if (first?.kind === Kind.FRAGMENT_SPREAD && others.length === 0) {
      const fragment = this.fragmentOf(first.name.value, fragments);
      return this.refer(first.name.value, () => ({
        ...this.object(fragment.type, fragment.node.selectionSet, fragments),
        ...(type.description && { description: type.description }),
      }));
    }
    return this.object(type, set, fragments);
  }

  private fragmentOf(name: string, fragments: Fragments) {
    const node = fragments.get(name);
    const type = node && this.schema.getType(node.typeCondition.name.value);
    if (!node || !isCompositeType(type)) throw new OpenApiError(`the fragment ${name} is not known`);
    return { node, type };
  }

  private object(type: GraphQLCompositeType, set: SelectionSetNode, fragments: Fragments): JsonSchema {
    const properties = this.properties(type, set, fragments);
    return { type: 'object', properties, required: Object.keys(properties) };
  }

  private properties(type: GraphQLCompositeType, set: SelectionSetNode, fragments: Fragments) {
    const properties: Record<string, JsonSchema> = {};
    for (const node of set.selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) throw new OpenApiError(`${type.name}: fragments must be named`);
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = this.fragmentOf(node.name.value, fragments);
        Object.assign(properties, this.properties(fragment.type, fragment.node.selectionSet, fragments));
        continue;
      }
      const field = isUnionType(type) ? undefined : type.getFields()[node.name.value];
      if (!field) throw new OpenApiError(`${type.name} has no field ${node.name.value}`);
      const place = `${type.name}.${field.name}`;
      const schema = this.output(field.type, place, node.selectionSet, fragments);
      properties[(node.alias ?? node.name).value] = described(schema, field.description);
    }
    return properties;
  }

  /** What a field answers. */
  output(type: GraphQLOutputType, place: string, set: SelectionSetNode | undefined, fragments: Fragments): JsonSchema {
    if (!isNonNullType(type)) return nullable(this.present(type, place, set, fragments));
    return this.present(type.ofType, place, set, fragments);
  }

  /** What a field answers when it is not null. */
  present(type: GraphQLOutputType, place: string, set: SelectionSetNode | undefined, fragments: Fragments): JsonSchema {
    if (isNonNullType(type)) return this.present(type.ofType, place, set, fragments);
    if (isListType(type)) return { type: 'array', items: this.output(type.ofType, place, set, fragments) };
    if (isEnumType(type)) return enumSchema(type);
    const named = getNamedType(type);
    return isCompositeType(named) && set ? this.selected(named, set, fragments) : this.leaf(named.name, place);
  }

  /** What a variable takes, or null where it may be null; members of objects have snake_case names. */
  input(type: GraphQLInputType, place: string): JsonSchema {
    return isNonNullType(type) ? this.given(type.ofType, place) : nullable(this.given(type, place));
  }

  /** What a member of a resource takes when it is not null. */
  private ruled(type: GraphQLInputType, place: string, rule: Rule | undefined): JsonSchema {
    const given = this.given(type, place);
    if (place in INPUT_SHAPES) return given;
    return given.type === 'array' ? ruledList(given, rule) : (ruledShape(getNamedType(type).name, rule) ?? given);
  }

  /** What a variable takes when it is not null. */
  given(type: GraphQLInputType, place: string): JsonSchema {
    if (isNonNullType(type)) return this.given(type.ofType, place);
    if (place in INPUT_SHAPES && isListType(type)) return INPUT_SHAPES[place] ?? {};
    if (isListType(type)) return { type: 'array', items: this.input(type.ofType, place) };
    if (isEnumType(type)) return enumSchema(type);
    if (!isInputObjectType(type)) return INPUT_SHAPES[place] ?? this.leaf(getNamedType(type).name, place);
    return this.refer(type.name, () => {
      const fields = Object.values(type.getFields()).filter(({ extensions }) => !extensions.isGraphOnly);
      const placeOf = (field: (typeof fields)[number]) => `${type.name}.${field.name}`;
      const isMandatory = (field: (typeof fields)[number]) =>
        isRequiredInputField(field) || MANDATORY.has(placeOf(field));
      const member = (field: (typeof fields)[number]) => {
        const rule = field.extensions.rule as Rule | undefined;
        const shape = this.ruled(field.type, placeOf(field), rule);
        const isNeverNull = isMandatory(field) || isNonNullType(field.type) || rule?.isMandatory === true;
        const known = isNeverNull ? shape : nullable(shape);
        return described(bounded(known, field.extensions.limit as Limit | undefined), field.description);
      };
      const required = fields.filter(isMandatory).map(({ name }) => snakeCase(name));
      return {
        type: 'object',
        ...(type.description && { description: type.description }),
        properties: Object.fromEntries(fields.map((field) => [snakeCase(field.name), member(field)])),
        ...(required.length > 0 && { required }),
      };
    });
  }
}
