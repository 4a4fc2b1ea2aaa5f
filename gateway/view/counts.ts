import { cutText } from './cut-text.ts';
import { isStated, type JsonObject, objectOf, objectsOf, stated } from './json.ts';

/** Concise counts: the numbers of the answer, with each list of `{value, trials}` as one object. */

const SHARE_DIGITS = 3;

function rounded(value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(SHARE_DIGITS)) : value;
}

/** `{value, trials}` as `{[value]: trials}`, without values of no trial. */
function byValue(list: unknown): JsonObject {
  const counted = objectsOf(list).filter(({ trials }) => trials !== 0);
  return Object.fromEntries(counted.map(({ value, trials }) => [String(value), trials]));
}

const MIXES = ['phases', 'statuses', 'recruitmentStatuses', 'studyTypes', 'sponsorClasses'];
/** Fields that so many records or more state tell nothing by being named. */
const COMPLETE_SHARE = 0.8;

export function landscape(data: JsonObject): JsonObject {
  const sponsors = objectOf(data.sponsors);
  return {
    ...data,
    ...Object.fromEntries(MIXES.map((name) => [name, byValue(data[name])])),
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

/** Periods as `{[period]: trials}`; the bounds of a year or quarter say themselves. */
export function trend(data: JsonObject): JsonObject {
  const periods = objectsOf(data.periods);
  const named = (flag: (period: JsonObject) => boolean): unknown[] => periods.filter(flag).map(({ period }) => period);
  const { periods: _, series, ...rest } = data;
  return {
    ...rest,
    periods: Object.fromEntries(periods.map(({ period, trials }) => [String(period), trials])),
    ...stated({
      notEnded: named(({ ended }) => ended === false),
      planned: named(({ planned }) => planned === true),
      series: isStated(series) ? series : undefined,
    }),
  };
}

/** A comparison: the fields that are equal or not stated by name, the others with their values. */
export function comparison(data: JsonObject): JsonObject {
  const fields = objectsOf(data.fields);
  const names = (wanted: string): unknown[] =>
    fields.filter(({ verdict }) => verdict === wanted).map(({ field }) => field);
  return {
    ...data,
    equal: names('equal'),
    notStated: names('not-stated'),
    fields: fields
      .filter(({ verdict }) => verdict !== 'equal' && verdict !== 'not-stated')
      .map(({ field, verdict, normalisations, namedInConflicts, values }) => ({
        field,
        verdict,
        ...stated({ normalisations, namedInConflicts: namedInConflicts === true ? true : undefined }),
        values: Object.fromEntries(objectsOf(values).map(({ id, value }) => [String(id), shortValue(value)])),
      })),
  };
}

const VALUE_MAX_CHARACTERS = 160;

function shortValue(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= VALUE_MAX_CHARACTERS ? value : cutText(text, VALUE_MAX_CHARACTERS);
}
