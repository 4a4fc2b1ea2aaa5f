import { argumentsOf } from '../../../contract/interfaces/arguments.ts';
import { BETA_CELL_DURATION_WEEKS } from '../../../contract/limits/twin.ts';
import { runBetaCell } from '../../../contract/operations/research/twin-beta-cell.ts';
import type { JsonSchema } from '../../../contract/parameters.ts';
import type { BetaCellDataset, BetaCellInput } from '../../../contract/schemas/research/beta-cell.ts';

/** The input of a run as form fields, which are also the parameters of its permanent address. */

export interface Field {
  /** Parameter in the address. */
  name: string;
  label: string;
  /** Path of the field in the operation's issues. */
  path: string;
  control: 'number' | 'choice' | 'text' | 'points';
  group: 'fit' | 'plan' | 'custom';
  /** Meaning, bounds and default. */
  schema: JsonSchema;
}

const INPUT = Object.fromEntries(argumentsOf(runBetaCell).map(({ name, schema }) => [name, schema]));
const CUSTOM = propertiesOf(INPUT.customDataset!);
const ARM = propertiesOf(CUSTOM.arms!.items as JsonSchema);

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return schema.properties as Record<string, JsonSchema>;
}

type Spec = readonly [name: string, label: string, control: Field['control']];

const ofInput =
  (group: Field['group']) =>
  ([name, label, control]: Spec): Field => ({ name, label, control, group, path: name, schema: INPUT[name]! });
const ofDataset = ([name, label, control]: Spec): Field => ({
  ...{ name, label, control, group: 'custom', path: `customDataset.${name}`, schema: CUSTOM[name]! },
});

const ARMS = ['control', 'comparator'] as const;
const ARM_WORDS = { control: 'Control arm', comparator: 'Comparator arm' } as const;
const labelName = (arm: (typeof ARMS)[number]) => `${arm}Label` as const;

const FIT: readonly Spec[] = [
  ['dataset', 'Data', 'choice'],
  ['trainingThroughWeek', 'Last week of training', 'number'],
  ['recoveryRate', 'Recovery rate r', 'number'],
];
const PLAN: readonly Spec[] = [
  ['durationWeeks', 'Weeks of the plan', 'choice'],
  ['immuneSuppression', 'Immune suppression', 'number'],
  ['replacementContribution', 'Replacement', 'number'],
  ['graftProtection', 'Graft protection', 'number'],
  ['graftAttrition', 'Graft attrition', 'number'],
];
const DATASET: readonly Spec[] = [
  ['id', 'Name of the data', 'text'],
  ['citation', 'Source', 'text'],
  ['population', 'Population', 'text'],
  ['assay', 'Assay', 'text'],
  ['reportedUnit', 'Reported unit', 'text'],
  ['kind', 'Measured or invented', 'choice'],
  ['statistic', 'Statistic of a visit', 'choice'],
];
const DATASET_FIELDS = DATASET.map(ofDataset);

/** In the order of the form and the address. */
export const FIELDS: readonly Field[] = [
  ...FIT.map(ofInput('fit')),
  ...PLAN.map(ofInput('plan')),
  ...DATASET_FIELDS,
  ...ARMS.flatMap((arm, place): Field[] => {
    const [path, label, group] = [`customDataset.arms.${place}`, ARM_WORDS[arm], 'custom'] as const;
    return [
      { name: labelName(arm), label, control: 'text', group, path: `${path}.label`, schema: ARM.label! },
      { name: arm, label: `${label}: visits`, control: 'points', group, path: `${path}.points`, schema: ARM.points! },
    ];
  }),
];
const FIELD_BY_NAME = new Map(FIELDS.map((field) => [field.name, field]));

export function fieldOf(name: string): Field {
  return FIELD_BY_NAME.get(name)!;
}

/** The bounds of a field, and what an empty field means. */
export function boundsOf({ control, schema }: Field): string {
  const fallback = schema.default === undefined ? '' : `; ${schema.default} if left empty`;
  if (control === 'number') return `${numberBounds(schema)}${fallback}`;
  if (control === 'text') return textBounds(schema);
  if (control === 'choice') return '';
  const { week, value } = propertiesOf(schema.items as JsonSchema);
  return `a line for each visit, “week value”: ${schema.minItems} to ${schema.maxItems} lines, week ${numberBounds(week!)}, value ${numberBounds(value!)}`;
}

function numberBounds({ minimum, exclusiveMinimum, maximum, multipleOf }: JsonSchema): string {
  const from = exclusiveMinimum === undefined ? `${minimum} to` : `above ${exclusiveMinimum}, at most`;
  const step = multipleOf === undefined ? '' : ` in steps of ${multipleOf}`;
  return `${from} ${Number(maximum).toLocaleString('en-GB')}${step}`;
}

function textBounds({ minLength, maxLength }: JsonSchema): string {
  const most = Number(maxLength).toLocaleString('en-GB');
  return minLength === undefined ? `at most ${most} characters` : `${minLength} to ${most} characters`;
}

/** The value of a field before the reader types. */
export function defaultOf({ schema }: Field): string {
  return schema.default === undefined ? '' : String(schema.default);
}

/** The input from a form or an address. */
export interface Entered {
  /** As typed, by the field's name; empty if nothing was typed. */
  values: Record<string, string>;
  /** Request body built from the form; invalid where the input is invalid. */
  body: Record<string, unknown>;
  /** The line in the text area of each point, by the field's name. */
  lines: Record<string, readonly number[]>;
  /** Fields given more than once. */
  repeated: Field[];
  /** Whether the address has a parameter that is not a field. */
  unknown: boolean;
}

export function enteredOf(query: URLSearchParams): Entered {
  const values = Object.fromEntries(FIELDS.map(({ name }) => [name, query.get(name) ?? '']));
  const typed = (name: string): unknown => typedValue(fieldOf(name), values[name]!);
  const points = Object.fromEntries(ARMS.map((arm) => [arm, pointsOf(values[arm]!)]));
  const picked = (fields: readonly Field[]) => Object.fromEntries(fields.map(({ name }) => [name, typed(name)]));
  const isCustom =
    values.dataset === 'custom' || FIELDS.some(({ group, name }) => group === 'custom' && values[name] !== '');
  const customDataset = {
    ...picked(DATASET_FIELDS),
    arms: ARMS.map((id) => ({ id, label: typed(labelName(id)), points: points[id]!.map(({ point }) => point) })),
  };
  return {
    values,
    body: { ...picked(FIELDS.filter(({ group }) => group !== 'custom')), ...(isCustom ? { customDataset } : {}) },
    lines: Object.fromEntries(ARMS.map((arm) => [arm, points[arm]!.map(({ line }) => line)])),
    repeated: FIELDS.filter(({ name }) => query.getAll(name).length > 1),
    unknown: [...query.keys()].some((name) => !FIELD_BY_NAME.has(name)),
  };
}

/** Text that is not a number or option stays text, so that the operation refuses it. */
function typedValue(field: Field, text: string): unknown {
  if (text === '') return undefined;
  if (field.control === 'number') return text.trim() === '' ? undefined : numberOrText(text.trim());
  const other = field.schema.type === 'integer' ? numberOrText(text) : text;
  return optionsOf(field).find((option) => String(option) === text) ?? other;
}

/** The values of a choice. Those of numbers stand in no schema, since a provider of models refuses a list of numbers there. */
export function optionsOf({ name, schema }: Field): readonly unknown[] {
  return name === 'durationWeeks' ? BETA_CELL_DURATION_WEEKS : ((schema.enum ?? []) as unknown[]);
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function numberOrText(text: string): number | string {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : text;
}

/** One point for each non-empty line; a line that is not a pair stays text. */
function pointsOf(text: string): { line: number; point: unknown }[] {
  return text.split(/\r\n|\r|\n/).flatMap((row, place) => {
    const parts = row.split(/[\s,;]+/).filter((part) => part !== '');
    if (parts.length === 0) return [];
    const [week, value] = parts.map(numberOrText);
    return [{ line: place + 1, point: parts.length === 2 ? { week, value } : row }];
  });
}

/** An input as it was run or can be run. */
interface RunInput {
  input: Omit<BetaCellInput, 'customDataset' | 'durationWeeks'> & { durationWeeks: number };
  dataset: Pick<BetaCellDataset, 'id' | 'citation' | 'population' | 'assay' | 'reportedUnit' | 'kind' | 'statistic'> & {
    arms: readonly { id: (typeof ARMS)[number]; label: string; points: readonly { week: number; value: number }[] }[];
  };
}

/** All fields of this input, except those of a built-in dataset. */
export function valuesOf({ input, dataset }: RunInput): Record<string, string> {
  const parameters = FIELDS.filter(({ group }) => group !== 'custom').map(({ name }) => [
    name,
    String(input[name as keyof RunInput['input']]),
  ]);
  if (input.dataset !== 'custom') return Object.fromEntries(parameters);
  const texts = DATASET_FIELDS.map(({ name }) => [name, String(dataset[name as keyof RunInput['dataset']])]);
  const arms = ARMS.flatMap((id) => {
    const { label, points } = dataset.arms.find((arm) => arm.id === id)!;
    return [
      [labelName(id), label],
      [id, points.map(({ week, value }) => `${week} ${value}`).join('\n')],
    ];
  });
  return Object.fromEntries([...parameters, ...texts, ...arms]);
}

/** The permanent address of a run of this input. */
export function addressOfRun(path: string, run: RunInput): string {
  return `${path}?${new URLSearchParams(valuesOf(run))}`;
}

export interface Fault {
  /** Null if the fault concerns the whole address. */
  field: Field | null;
  message: string;
}

/** Assigns the operation's issues to their fields, in the order of the form. */
export function faultsOf(issues: readonly { path: string; message: string }[], { lines, values }: Entered): Fault[] {
  const faults = issues.map(({ path, message }): Fault => {
    // A custom dataset beside the built-in one is a fault of the choice between them.
    if (path === 'customDataset') return { field: fieldOf('dataset'), message };
    const field = FIELDS.find((one) => path === one.path || path.startsWith(`${one.path}.`));
    if (field === undefined) return { field: null, message };
    if (values[field.name] === '') return { field, message: 'nothing was entered' };
    if (field.control !== 'points' || path === field.path) return { field, message };
    const [place, part] = path.slice(field.path.length + 1).split('.');
    const line = `line ${lines[field.name]?.[Number(place)]}`;
    return {
      field,
      message: part === undefined ? `${line}: expected a week and a value` : `${line}, ${part}: ${message}`,
    };
  });
  const placeOf = ({ field }: Fault): number => (field === null ? -1 : FIELDS.indexOf(field));
  return faults.sort((one, other) => placeOf(one) - placeOf(other));
}
