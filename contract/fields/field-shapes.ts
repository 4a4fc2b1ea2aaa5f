import type { Column, ColumnValues, RegistryField } from './field-types.ts';
import { DESIGN_FIELDS } from './registry-design-fields.ts';
import { REGISTRY_FIELDS } from './registry-fields.ts';

/** What is derived from the table of fields: TypeScript types, the shape of the JSON, column names. */

type Fields = typeof REGISTRY_FIELDS;
export type FieldName = keyof Fields;
/** A field with its name, as loops see it. */
export type NamedField = RegistryField & { name: FieldName };

/** TypeScript type of a column's value. */
export type ValueOf<C extends Column> =
  | (C extends { words: readonly (infer Word)[] } ? Word : ColumnValues[C['type']])
  | (C extends { null: string } ? null : never);

export const FIELD_LIST = Object.entries(REGISTRY_FIELDS).map(([name, field]) => ({ name, ...field })) as NamedField[];
/** Fields that both a trial and its registrations show. */
export const SHOWN_FIELDS = FIELD_LIST.filter(({ trial }) => trial !== null);
/** Fields that only a registration shows. */
export const OWN_FIELDS = FIELD_LIST.filter(({ trial, json }) => trial === null && json !== null);

/** Fields that only say how another one was read or why it is blank. */
const ABOUT_ANOTHER = /(?:Raw|Basis|Notes?)$/;

/** Every field of a registration's record but those about another one, with the name by which comparisons call it. */
export const COMPARED_LIST = FIELD_LIST.filter(({ name, json }) => json !== null && !ABOUT_ANOTHER.test(name)).map(
  (field) => {
    const path = field.json ?? field.name;
    return { name: field.comparedAs ?? path, path, field };
  },
);
/** Names of the fields that `conflicts` of a trial may name. */
export const CONFLICT_FIELDS = COMPARED_LIST.filter(({ field }) => field.inConflicts === true).map(({ name }) => name);

/** Names of the members in a registration's JSON that hold the fields of registry-design-fields.ts. */
export const DESIGN_MEMBERS = [
  ...groupedByPath(OWN_FIELDS.filter(({ name }) => name in DESIGN_FIELDS)).keys(),
] as (keyof OwnFields)[];

type ShownName = { [N in FieldName]: Fields[N]['trial'] extends null ? never : N }[FieldName];
type OwnName = Exclude<{ [N in FieldName]: Fields[N] extends { json: null } ? never : N }[FieldName], ShownName>;
type PathOf<N extends FieldName> = N extends FieldName
  ? Fields[N] extends { json: infer Path extends string }
    ? Path
    : N
  : never;
type GroupOf<Path extends string> = Path extends `${infer Group}.${string}` ? Group : Path;
/** The JSON of fields: `sponsor.name` is a member of the object `sponsor`. */
type JsonOf<N extends FieldName> = {
  [G in GroupOf<PathOf<N>>]: G extends N
    ? ValueOf<Fields[G]>
    : { [M in N as PathOf<M> extends `${G}.${infer Leaf}` ? Leaf : never]: ValueOf<Fields[M]> };
};
export type CommonFields = JsonOf<ShownName>;
export type OwnFields = JsonOf<OwnName>;

/**
 * Fields grouped by the first part of their JSON path, in order; `leaf` is the last part, equal to the first where the
 * path has one part.
 */
export function groupedByPath<F extends { name: string; json?: string | null }>(
  fields: readonly F[],
): Map<string, { leaf: string; field: F }[]> {
  const groups = new Map<string, { leaf: string; field: F }[]>();
  for (const field of fields) {
    const [group, leaf] = (field.json ?? field.name).split('.') as [string, string | undefined];
    const members = groups.get(group) ?? [];
    members.push({ leaf: leaf ?? group, field });
    groups.set(group, members);
  }
  return groups;
}

/** A column in words: "Start date". */
export function columnHeading(column: string): string {
  const words = column.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Name of a field's column in the tables. */
export function columnName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
