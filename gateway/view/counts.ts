import { cutText } from './cut-text.ts';
import { type JsonObject, objectOf, objectsOf, stated } from './json.ts';

/** Concise counts: the numbers of the answer, without what follows from them. */

const SHARE_DIGITS = 3;

function rounded(value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(SHARE_DIGITS)) : value;
}

/** Values of no trial are left out. */
function counted(list: unknown): JsonObject[] {
  return objectsOf(list).filter(({ trials }) => trials !== 0);
}

const MIXES = ['phases', 'statuses', 'recruitmentStatuses', 'studyTypes', 'sponsorClasses'];
/** Fields that so many records or more state tell nothing by being named. */
const COMPLETE_SHARE = 0.8;

export function landscape(data: JsonObject): JsonObject {
  const sponsors = objectOf(data.sponsors);
  return {
    ...data,
    ...Object.fromEntries(MIXES.map((name) => [name, counted(data[name])])),
    sponsors: {
      ...sponsors,
      top: objectsOf(sponsors.top).map(({ name, trials }) => ({ name, trials })),
      topShare: rounded(sponsors.topShare),
      hhi: rounded(sponsors.hhi),
    },
    fieldCompleteness: objectsOf(data.fieldCompleteness).map(incompleteFields),
  };
}

/** The fields of a registry that few records state, with their share; null counts stay, since they are unknown. */
function incompleteFields({ registry, state, registrations, fields }: JsonObject): JsonObject {
  const few = objectsOf(fields).filter(({ share }) => typeof share === 'number' && share < COMPLETE_SHARE);
  return {
    registry,
    state,
    registrations,
    ...(Array.isArray(fields) &&
      registrations !== 0 && {
        rarelyStated: Object.fromEntries(few.map(({ field, share }) => [String(field), rounded(share)])),
      }),
  };
}

/** Periods without their bounds, which a year or quarter says itself. */
export function trend(data: JsonObject): JsonObject {
  // Null is what was not asked for.
  const { split, series, ...rest } = data;
  return {
    ...rest,
    ...stated({ split, series }),
    periods: objectsOf(data.periods).map(({ period, ended, planned, trials }) => ({
      period,
      trials,
      ...(ended === false && { ended }),
      ...(planned === true && { planned }),
    })),
  };
}

/** A comparison: fields on which the registries differ have their values, all others are named by what is said of them. */
export function comparison(data: JsonObject): JsonObject {
  const fields = objectsOf(data.fields);
  const names = (wanted: string): unknown[] =>
    fields.filter(({ verdict }) => verdict === wanted).map(({ field }) => field);
  return {
    ...data,
    registrations: objectsOf(data.registrations).map(({ registry, id, url }) => ({ registry, id, url })),
    equal: names('equal'),
    notStated: fields.filter((one) => one.verdict === 'not-stated' && !isNotHeld(one)).map(({ field }) => field),
    onlyIn: onlyIn(fields),
    ...notHeld(fields),
    fields: fields
      .filter(({ verdict }) => verdict === 'differs' || verdict === 'equal-after')
      .map(({ field, verdict, normalisations, namedInConflicts, values }) => ({
        field,
        verdict,
        ...stated({ normalisations, namedInConflicts: namedInConflicts === true ? true : undefined }),
        values: Object.fromEntries(objectsOf(values).map(({ id, value }) => [String(id), shortValue(value)])),
      })),
  };
}

/** Names of the fields that one registry alone states, by registry. */
function onlyIn(fields: readonly JsonObject[]): JsonObject {
  const alone = fields.filter(({ verdict }) => verdict === 'only-in');
  const byRegistry = Map.groupBy(alone, (field) => String(field.onlyIn));
  return Object.fromEntries([...byRegistry].map(([registry, of]) => [registry, of.map(({ field }) => field)]));
}

const isNotHeld = ({ notHeldIn }: JsonObject): boolean => Array.isArray(notHeldIn) && notHeldIn.length > 0;

/** Names of the fields that the held form of a record lacks, by registry; nothing where every form has all. */
function notHeld(fields: readonly JsonObject[]): JsonObject {
  const lacking = fields.flatMap(({ field, notHeldIn }) =>
    (Array.isArray(notHeldIn) ? notHeldIn : []).map((registry) => ({ field, registry: String(registry) })),
  );
  if (lacking.length === 0) return {};
  const byRegistry = Map.groupBy(lacking, ({ registry }) => registry);
  return {
    notHeldInThisForm: Object.fromEntries(
      [...byRegistry].map(([registry, of]) => [registry, of.map(({ field }) => field)]),
    ),
  };
}

const VALUE_MAX_CHARACTERS = 160;

function shortValue(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= VALUE_MAX_CHARACTERS ? value : cutText(text, VALUE_MAX_CHARACTERS);
}
