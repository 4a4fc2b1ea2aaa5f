import { COMPARED_LIST, type NamedField } from '../../contract/fields/field-shapes.ts';
import type { FieldValues } from '../../contract/fields/field-types.ts';
import type { FieldVerdict, Normalisation } from '../../contract/fields/field-verdicts.ts';
import type { RegistrationFieldsRecord } from '../../contract/schemas/trials/trial.ts';
import { foldTerm, isStatedTitle } from './serving-columns.ts';
import { indexKeys } from './words/tokens.ts';

/** The one comparison of what two registrations of a trial state, for `conflicts` and for the comparison of all fields. */

export type StatedValue = NonNullable<unknown>;

export interface ComparedField {
  /** As answers name it. */
  name: string;
  field: NamedField;
  /** What a registration states, as it is shown; null where it states nothing. */
  statedIn: (fields: RegistrationFieldsRecord) => StatedValue | null;
}

/** Basis of `resultsAvailable` where a study has no member that could say it, as one of which only some fields were asked for. */
export const NO_RESULTS_MEMBER = 'neither hasResults nor resultsSection';

export const COMPARED_FIELDS: readonly ComparedField[] = COMPARED_LIST.map(compared);

function compared({ name, path, field }: (typeof COMPARED_LIST)[number]): ComparedField {
  const [group, leaf] = path.split('.') as [keyof RegistrationFieldsRecord, string | undefined];
  // A number of people is shown with its type.
  if (field.type === 'count') {
    return { name, field, statedIn: (fields) => ((fields[group] as Counted).count === null ? null : fields[group]) };
  }
  // A record without either member says nothing of results.
  if (name === 'resultsAvailable') {
    return {
      ...{ name, field },
      statedIn: ({ resultsAvailable, resultsBasis }) => (resultsBasis === NO_RESULTS_MEMBER ? null : resultsAvailable),
    };
  }
  return {
    name,
    field,
    statedIn: (fields) => {
      const value: unknown = fields[group];
      // The number of the record stands for a title that it does not have.
      if (name === 'title' && !isStatedTitle(String(value))) return null;
      return stated(field.type, leaf === undefined ? value : (value as Record<string, unknown>)[leaf]);
    },
  };
}

function stated(type: keyof FieldValues, value: unknown): StatedValue | null {
  if (value === null || value === undefined) return null;
  if (type === 'word' && (value === 'unknown' || value === 'not-stated')) return null;
  if (type === 'interventions') return stated('texts', (value as FieldValues['interventions']).flatMap(namesOf));
  return Array.isArray(value) && value.length === 0 ? null : value;
}

const namesOf = ({ name }: FieldValues['interventions'][number]): string[] => (name === null ? [] : [name]);

/** A form of a value in which some differences are set aside. */
/** A number with its type. */
interface Counted {
  count: number | null;
}

interface Form {
  without: Normalisation[];
  of: (value: unknown) => string;
}

export interface Comparison {
  verdict: Extract<FieldVerdict, 'equal' | 'equal-after' | 'differs'>;
  normalisations: Normalisation[];
}

/** Compares two stated values of a field; the first form in which they are equal decides. */
export function compareStated({ field }: ComparedField, one: StatedValue, other: StatedValue): Comparison {
  if (JSON.stringify(one) === JSON.stringify(other)) return { verdict: 'equal', normalisations: [] };
  const forms = field.type === 'date' ? dateForms(one, other) : FORMS[field.type];
  const equal = forms?.find(({ of }) => of(one) === of(other));
  if (equal === undefined) return { verdict: 'differs', normalisations: [] };
  return { verdict: 'equal-after', normalisations: equal.without };
}

const folded = (value: unknown): string => foldTerm(String(value));
const inOrder = (items: readonly string[]): string => items.join('\n');
const asSet = (items: readonly string[]): string => [...new Set(items)].sort().join('\n');
const eachOf = (value: unknown, form: (item: never) => string): string[] => (value as never[]).map(form);

function listForms(text: (item: never) => string): Form[] {
  return [
    { without: ['case-and-space'], of: (value) => inOrder(eachOf(value, (item) => foldTerm(text(item)))) },
    { without: ['order'], of: (value) => asSet(eachOf(value, text)) },
    { without: ['case-and-space', 'order'], of: (value) => asSet(eachOf(value, (item) => foldTerm(text(item)))) },
  ];
}

function namedForms(name: (item: never) => string): Form[] {
  return [
    ...listForms(JSON.stringify),
    {
      without: ['case-and-space', 'order', 'name-only'],
      of: (value) => asSet(eachOf(value, (item) => foldTerm(name(item)))),
    },
    {
      without: ['case-and-space', 'order', 'name-only', 'words'],
      of: (value) => asSet(eachOf(value, (item) => wordsOf(name(item)))),
    },
  ];
}

const wordsOf = (text: string): string => indexKeys(text).join(' ');
const measureOf = ({ measure }: { measure: string }): string => measure;
const nameOf = ({ name }: { name: string }): string => name;
const termOf = ({ term }: { term: string }): string => term;

/** Forms by type; two different values of any other type differ. */
const FORMS: Partial<Record<keyof FieldValues, Form[]>> = {
  text: [{ without: ['case-and-space'], of: folded }],
  count: [{ without: ['type-aside'], of: (value) => String((value as Counted).count) }],
  texts: listForms((item) => item),
  interventions: listForms((item) => item),
  endpoints: namedForms(measureOf),
  outcomes: namedForms(measureOf),
  organisations: namedForms(nameOf),
  mesh: namedForms(termOf),
  descriptions: listForms(JSON.stringify),
  arms: listForms(JSON.stringify),
  sites: listForms(JSON.stringify),
  documents: listForms(JSON.stringify),
  secondaryIds: listForms(JSON.stringify),
};

/** Dates are compared at the precision that both have. */
function dateForms(one: StatedValue, other: StatedValue): Form[] {
  const textOf = (value: unknown): string => (value as FieldValues['date']).date;
  const shared = Math.min(textOf(one).length, textOf(other).length);
  const cut = (value: unknown): string => textOf(value).slice(0, shared);
  const typeOf = (value: unknown): string => String((value as FieldValues['date']).type);
  return [
    { without: ['type-aside'], of: textOf },
    { without: ['shared-precision'], of: (value) => `${cut(value)} ${typeOf(value)}` },
    { without: ['shared-precision', 'type-aside'], of: cut },
  ];
}
