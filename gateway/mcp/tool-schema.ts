import { argumentsOf, listedArguments } from '../../contract/interfaces/arguments.ts';
import { VIEW_PARAMETER_NAMES } from '../../contract/interfaces/view.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { doorText } from '../door-words/door-text.ts';

/** Input schemas as a list of tools shows them: a model pays for each word, and `describe_tool` has them whole. */

/** Bounds above this one tell a model nothing: no sensible value reaches them. */
const TELLING_BOUND = 1_000;
/** An argument that is longer than this as JSON is worth describing once instead of in each tool. */
const WORTH_SHARING_CHARACTERS = 60;
/** Longer lists of values are left to describe_tool and to the refusal of another value, which has those that are near. */
const VALUES_CHARACTERS = 300;
/** Nobody guesses which topics are curated, and another word for one finds other trials. */
const LISTED_WHOLE = 'topic';
/** Values that stay with an argument which is described elsewhere. */
const KEPT_VALUES_CHARACTERS = 70;

/** Arguments of so many tools that the instructions alone say what they mean. */
const OF_MOST_TOOLS: ReadonlySet<string> = new Set([...VIEW_PARAMETER_NAMES, 'idempotencyKey']);

/** Where an argument of a list is described: its whole text, and the tool that has it. */
export type Described = Map<string, string>;

/**
 * The arguments of a tool, short. One that an earlier tool of the list describes in the same words keeps its type alone,
 * and the schema says which tool that is; `described` remembers them over a list.
 */
export function listedSchema(
  tool: string,
  operation: Operation,
  described: Described,
): JsonSchema & { type: 'object' } {
  const { listed, unlisted } = argumentsListed(operation);
  const earlier = new Set<string>();
  const properties = listed.map(({ name, whole, key }) => {
    if (OF_MOST_TOOLS.has(name)) return [name, bare(whole)];
    const where = described.get(key);
    if (where === undefined || where === tool) {
      if (key.length > WORTH_SHARING_CHARACTERS) described.set(key, tool);
      return [name, whole];
    }
    earlier.add(where);
    return [name, bare(whole)];
  });
  const required = listed.flatMap(({ name, required: needed }) => (needed ? [name] : []));
  const notes = [
    ...(earlier.size > 0 ? [`What has no description is as in ${[...earlier].join(', ')}.`] : []),
    ...(unlisted.length > 0 ? [`More arguments, see describe_tool: ${unlisted.join(', ')}.`] : []),
  ];
  return {
    type: 'object',
    ...(notes.length > 0 && { description: notes.join(' ') }),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

interface ListedArgument {
  name: string;
  required: boolean;
  whole: JsonSchema;
  /** Equal for arguments of the same name and words. */
  key: string;
}

/** Kept by operation: to make schemas is most of the cost of a list, which each client may ask for in its own selection. */
const known = new WeakMap<Operation, ListedArguments>();

interface ListedArguments {
  listed: readonly ListedArgument[];
  /** Names of the others. */
  unlisted: readonly string[];
}

function argumentsListed(operation: Operation): ListedArguments {
  const made = known.get(operation);
  if (made !== undefined) return made;
  const said = new Set<string>();
  const listed = listedArguments(operation).map(({ name, schema, required }) => {
    const cut = shortened(withShortExample(schema)) as JsonSchema;
    const { examples: _, ...rest } = cut;
    const short = name === LISTED_WHOLE && schema.enum !== undefined ? { ...rest, enum: schema.enum } : cut;
    // Every read has these two, and the instructions say what they are.
    const whole = VIEW_PARAMETER_NAMES.includes(name) ? bare(short) : saidOnce(short, said);
    return { name, required, whole, key: JSON.stringify([name, whole]) };
  });
  const shown = new Set(listed.map(({ name }) => name));
  const unlisted = argumentsOf(operation).flatMap(({ name }) => (shown.has(name) ? [] : [name]));
  const whole = { listed, unlisted };
  known.set(operation, whole);
  return whole;
}

/** An example that a caller reads at a glance; longer ones are left to `describe_tool`. */
const EXAMPLE_CHARACTERS = 100;

function withShortExample({ examples, ...schema }: JsonSchema): JsonSchema {
  const isShort = examples !== undefined && JSON.stringify(examples).length <= EXAMPLE_CHARACTERS;
  return isShort ? { ...schema, examples } : schema;
}

/** A description that is as long as this ends with its sentence: the rest is detail, which describe_tool has. */
const TOLD_CHARACTERS = 120;
/** A shorter clause may be said again. */
const CLAUSE_CHARACTERS = 30;

/** The argument without clauses that an earlier one of the tool says, and without what a sentence or two need not say. */
function saidOnce(schema: JsonSchema, said: Set<string>): JsonSchema {
  const { description, ...rest } = schema;
  if (typeof description !== 'string') return schema;
  const [first = '', ...sentences] = description.split(/(?<=[.?!]) (?=[A-Z_a-z"])/);
  const told = sentences.reduce((text, next) => (text.length < TOLD_CHARACTERS ? `${text} ${next}` : text), first);
  const clauses = told.split('; ').filter((clause) => clause.length < CLAUSE_CHARACTERS || !said.has(clause));
  for (const clause of clauses) said.add(clause);
  return { ...rest, ...(clauses.length > 0 && { description: clauses.join('; ') }) };
}

/** What only a caller over REST can send. */
const OF_REST = /\bheader\b/;

/** A text without paths of REST: each call is a tool, and what is said of headers is left out. */
function inWordsOfTools(text: string): string {
  const clauses = text.split('; ').filter((clause) => !OF_REST.test(clause));
  return doorText('mcp', (clauses.length === 0 ? [text] : clauses).join('; '));
}

/** The type of an argument, and its values where they are few. */
function bare({ type, format, enum: values, items }: JsonSchema): JsonSchema {
  const few = (list: unknown): boolean => list !== undefined && JSON.stringify(list).length <= KEPT_VALUES_CHARACTERS;
  const { type: itemType, enum: itemValues } = (items ?? {}) as JsonSchema;
  return {
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
    ...(few(values) && { enum: values }),
    ...(items !== undefined && { items: { type: itemType ?? 'object', ...(few(itemValues) && { enum: itemValues }) } }),
  };
}

/** Lengths of texts and patterns, which a refusal states anyway, and every form of null, which counts as left out. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['$schema', 'minLength', 'maxLength', 'pattern', 'propertyNames'],
  ...['additionalProperties', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

function shortened(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((item) => shortened(item));
  if (value === null || typeof value !== 'object') return value;
  const schema = value as JsonSchema;
  const kept = Object.entries(schema).filter(([name, inner]) => isNamed || isTelling(name, inner, schema));
  return withoutNull(
    Object.fromEntries(
      kept.map(([name, inner]) => {
        const isText = !isNamed && name === 'description' && typeof inner === 'string';
        return [name, isText ? inWordsOfTools(inner) : shortened(inner, !isNamed && name === 'properties')];
      }),
    ),
  );
}

function isTelling(name: string, value: unknown, schema: JsonSchema): boolean {
  const { maximum, additionalProperties } = schema;
  // Values, formats and defaults are examples themselves.
  if (name === 'examples') return TELLING_ITSELF.every((key) => !(key in schema)) && !hasValues(schema.items);
  if (name === 'additionalProperties') return typeof value === 'object' && Object.keys(value ?? {}).length > 0;
  if (name === 'enum') return JSON.stringify(value).length <= VALUES_CHARACTERS;
  if (name === 'minimum') return typeof maximum === 'number' && maximum <= TELLING_BOUND;
  if (name === 'maximum') return typeof value === 'number' && value <= TELLING_BOUND;
  // A caller makes a whole list of objects before it hears of its bounds; that it has an item goes without saying.
  if (name === 'minItems') return typeof value === 'number' && value > 1 && isOfObjects(schema);
  if (name === 'maxItems') return typeof value === 'number' && value <= TELLING_BOUND && isOfObjects(schema);
  if (name === 'propertyNames') return additionalProperties === undefined;
  return !LEFT_OUT.has(name);
}

const isOfObjects = ({ items }: JsonSchema): boolean =>
  items !== null && typeof items === 'object' && 'properties' in items;

const TELLING_ITSELF = ['enum', 'const', 'format', 'default', 'minimum', 'maximum'];

function hasValues(items: unknown): boolean {
  return items !== null && typeof items === 'object' && 'enum' in items;
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== 'null');
    return { type: types.length === 1 ? types[0] : types, ...(anyOf !== undefined && { anyOf }), ...rest };
  }
  if (!Array.isArray(anyOf)) return schema;
  const forms = anyOf.filter((form: JsonSchema) => form.type !== 'null');
  return forms.length === 1
    ? { ...(forms[0] as JsonSchema), ...rest, ...(type !== undefined && { type }) }
    : { ...schema, anyOf: forms };
}
