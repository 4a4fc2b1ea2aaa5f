import { FIELD_LIST, type FieldName, type NamedField } from '../../contract/fields/field-shapes.ts';
import type { FieldValues } from '../../contract/fields/field-types.ts';
import type { RegistryId } from '../../contract/ids.ts';
import type { RegistrationFields } from '../../snapshot/format/registration.ts';
import { countryName, countryNames } from '../../snapshot/format/words/countries.ts';
import * as concepts from './concepts.ts';
import { splitDrugNames } from './drug-names.ts';
import type { Fields } from './fields.ts';
import type { RecordDates } from './values.ts';

/**
 * Reads every field that needs no rule of its own from the path that the table of fields states for the registry, in the
 * way of its concept, else of its type.
 */

type Reader = (record: Fields, path: string) => unknown;

const wordOf =
  (read: (raw: string | null) => unknown): Reader =>
  (record, path) =>
    read(record.text(path));

/** Concepts with words or units of their own; the members of an item that ISRCTN names otherwise stand beside those of ClinicalTrials.gov. */
const CONCEPTS: Partial<Record<FieldName, Reader>> = {
  phase: (record, path) => concepts.phaseOf(record.registry, record.texts(path)).phase,
  phaseRaw: (record, path) => concepts.phaseOf(record.registry, record.texts(path)).phaseRaw,
  studyType: wordOf(concepts.studyTypeOf),
  sponsorClass: wordOf(concepts.sponsorClassOf),
  allocation: wordOf(concepts.allocationOf),
  masking: wordOf(concepts.maskingOf),
  sex: wordOf(concepts.sexOf),
  minimumAge: wordOf(concepts.ageInYears),
  maximumAge: wordOf(concepts.ageInYears),
  ipdSharingPlan: wordOf(concepts.sharingPlanOf),
  countries: (record, path) => countryNames(record.terms(path)),
};

/** A closed list has words such as NONE and NA, and a raw text is one of them; these are free texts, where N/A says nothing. */
const FREE_TEXTS: readonly FieldName[] = ['sexRaw', 'minimumAgeRaw', 'maximumAgeRaw'];

function readerOf({ name, type, lowerCase }: NamedField): Reader | undefined {
  const concept = CONCEPTS[name];
  if (concept !== undefined) return concept;
  if (FREE_TEXTS.includes(name)) return (record, path) => record.stated(path);
  if (name.endsWith('Raw') && type === 'text') return (record, path) => record.text(path);
  if (lowerCase === true && type === 'text') return (record, path) => lower(record.stated(path));
  if (lowerCase === true) return (record, path) => concepts.plainWords(record.terms(path));
  return TYPES[type];
}

const lower = (text: string | null): string | null => (text === null ? null : concepts.plainWord(text));

const itemsOf =
  <T>(read: (one: Fields) => T[]): Reader =>
  (record, path) =>
    record.objects(path).flatMap(read);

const TYPES: Partial<Record<keyof FieldValues, Reader>> = {
  text: (record, path) => record.prose(path),
  texts: (record, path) => record.terms(path),
  flag: (record, path) => record.flag(path),
  interventions: itemsOf(interventionsOf),
  descriptions: itemsOf(descriptionOf),
  organisations: itemsOf(organisationOf),
  sites: itemsOf(siteOf),
  mesh: itemsOf(meshOf),
  arms: itemsOf(armOf),
  endpoints: endpointsAt,
  outcomes: outcomesAt,
};

type Item<N extends FieldName> = RegistrationFields[N & keyof RegistrationFields] extends (infer One)[] ? One : never;

/** Primary outcomes in short. ISRCTN has structured measures in newer records, else prose, which is one measure. */
function endpointsAt(record: Fields, path: string): Item<'primaryEndpoints'>[] {
  if (!path.endsWith('[]')) return measured(record.stated(path)).map((measure) => ({ measure, timeFrame: null }));
  return record.objects(path).flatMap((one) => {
    const measure = one.stated('measure') ?? one.stated('variable') ?? one.stated('method');
    return measured(measure).map((stated) => {
      return { measure: stated, timeFrame: one.stated('timeFrame') ?? one.stated('timepoints') };
    });
  });
}

function measured(measure: string | null): string[] {
  return measure === null ? [] : [measure];
}

function outcomesAt(record: Fields, path: string): Item<'primaryOutcomes'>[] {
  if (!path.endsWith('[]')) {
    return measured(record.prose(path)).map((measure) => ({ measure, timeFrame: null, description: null }));
  }
  return record.objects(path).flatMap((one) => {
    const measure = one.prose('measure') ?? one.prose('variable');
    const method = one.prose('method');
    const description = measure === null ? null : (one.prose('description') ?? method);
    return measured(measure ?? method).map((stated) => {
      return { measure: stated, timeFrame: one.prose('timeFrame') ?? one.prose('timepoints'), description };
    });
  });
}

/** ISRCTN has one for each of its drug names. */
function interventionsOf(one: Fields): Item<'interventions'>[] {
  const type = (one.text('type') ?? one.stated('interventionType'))?.toLowerCase() ?? null;
  const names = namesOf(one);
  const otherNames = one.terms('otherNames[]');
  if (names.length > 0) return names.map((name) => ({ type, name, otherNames, description: null }));
  const description = one.stated('description');
  const saysNothing = description === null && (type === null || one.registry === 'clinicaltrials_gov');
  return saysNothing ? [] : [{ type, name: null, otherNames, description }];
}

function namesOf(intervention: Fields): string[] {
  const name = intervention.stated('name');
  return name === null ? splitDrugNames(intervention.text('drugNames')) : [name];
}

function descriptionOf(intervention: Fields): Item<'interventionDescriptions'>[] {
  const description = intervention.prose('description');
  return description === null ? [] : [{ names: namesOf(intervention), description }];
}

export function organisationOf(one: Fields): Item<'sponsors'>[] {
  const name = one.stated('name') ?? one.stated('organisation');
  if (name === null) return [];
  const classRaw = sponsorClassRaw(one);
  return [
    {
      name,
      class: concepts.sponsorClassOf(classRaw),
      classRaw,
      reference: one.stated('rorId') ?? one.stated('fundRef'),
    },
  ];
}

/** The registry's own kind of a sponsor. */
export function sponsorClassRaw(sponsor: Fields): string | null {
  return sponsor.text('class') ?? sponsor.text('sponsorType') ?? sponsor.text('commercialStatus');
}

function siteOf(one: Fields): Item<'sites'>[] {
  // Sponsors that name no facility write their telephone number into it.
  const facility = one.prose('facility') ?? one.prose('name');
  const [city, state, countryRaw] = [one.prose('city'), one.prose('state'), one.stated('country')];
  if (facility === null && city === null && state === null && countryRaw === null) return [];
  const country = countryRaw === null ? null : countryName(countryRaw);
  const status = one.text('status')?.toLowerCase() ?? null;
  const [latitude, longitude] = [one.number('geoPoint.lat'), one.number('geoPoint.lon')];
  return [{ facility, city, state, country, status, latitude, longitude }];
}

function meshOf(one: Fields): Item<'conditionMesh'>[] {
  const term = one.text('term');
  return term === null ? [] : [{ id: one.text('id'), term }];
}

function armOf(one: Fields): Item<'arms'>[] {
  const label = one.text('label');
  if (label === null) return [];
  const type = one.text('type')?.toLowerCase() ?? null;
  return [{ label, type, description: one.prose('description'), interventionNames: one.texts('interventionNames[]') }];
}

/** A field with the paths from which it is read, in order of preference; null where its source is no path. */
export interface Source {
  field: NamedField;
  read: Reader | undefined;
  paths: string[] | null;
}

const PATH = /^[\w@]+(?:\[\])?(?:[.@]\w+(?:\[\])?)*$/;

/** The paths that the table states: `a.b, else c.d; a note`. Paths of ISRCTN begin below the trial. */
export function pathsOf(source: string): string[] | null {
  if (source.startsWith('none')) return [];
  const [stated = ''] = source.split('; ');
  const paths = stated.split(', else ').map((path) => path.replace(/^trial@/, '@'));
  return paths.every((path) => PATH.test(path)) ? paths : null;
}

export function sourceOf(registry: RegistryId, field: NamedField): Source {
  return { field, read: readerOf(field), paths: pathsOf(field.source[registry]) };
}

const SOURCES: Record<RegistryId, Source[]> = {
  clinicaltrials_gov: FIELD_LIST.map((field) => sourceOf('clinicaltrials_gov', field)),
  isrctn: FIELD_LIST.map((field) => sourceOf('isrctn', field)),
};

/** The fields of a record: those that a rule of its registry gave, and from the table every other one. */
export function withPlainFields(record: Fields, given: Partial<RegistrationFields>): RegistrationFields {
  const fields: Record<string, unknown> = { ...given };
  for (const source of SOURCES[record.registry]) {
    const { name, type } = source.field;
    if (type !== 'date' && !(name in given)) fields[name] = plainValue(record, source);
  }
  return fields as RegistrationFields;
}

/** The value of a field without a rule: of the first path that states one. Throws where the source is no path. */
export function plainValue(record: Fields, { field: { name, type }, read, paths }: Source): unknown {
  if (read === undefined || paths === null) {
    throw new Error(`${name} has no rule for ${record.registry}, and the source that the table states is no path`);
  }
  for (const path of paths) {
    const value = read(record, path);
    if (value !== null && !(Array.isArray(value) && value.length === 0)) return value;
  }
  return type === 'text' || type === 'flag' || type === 'number' ? null : [];
}

/** The dates of a record but those that are given, each a text or, at ClinicalTrials.gov, an object of date and type. */
export function plainDates(
  record: Fields,
  stated: RecordDates,
  given: Partial<RegistrationFields['dates']> = {},
): RegistrationFields['dates'] {
  const dates: Record<string, unknown> = { ...given };
  for (const { field, paths } of SOURCES[record.registry]) {
    const [group, leaf] = field.json?.split('.') ?? [];
    if (group !== 'dates' || leaf === undefined || leaf in given) continue;
    const texts = (paths ?? []).map((path): [string | null, string | null] =>
      path.endsWith('Struct') ? [record.text(`${path}.date`), record.text(`${path}.type`)] : [record.text(path), null],
    );
    const [date = null, type = null] = texts.find(([text]) => text !== null) ?? [];
    dates[leaf] = stated.read(field.name, date, type);
  }
  return dates as RegistrationFields['dates'];
}
