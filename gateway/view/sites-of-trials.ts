import type { Envelope } from '../envelope.ts';
import { isStated, type JsonObject, listOf, objectOf, objectsOf, textOf } from './json.ts';

/**
 * The sites of a trial as a model reads them: how many there are in each country, and the first few. A trial can have more than a
 * thousand; `trials-sites` lists them a page at a time.
 */

/** Sites of a registration that a whole record shows. */
const WHOLE_RECORD_SITES = 5;
/** Sites, and countries, that a concise record shows. */
const CONCISE_SITES = 3;
const CONCISE_COUNTRIES = 8;
const NOT_STATED = 'not stated';

/** Countries with their numbers of sites, most first. */
function numbersByCountry(sites: readonly JsonObject[]): [string, number][] {
  const groups = [...Map.groupBy(sites, ({ country }) => textOf(country) ?? NOT_STATED)];
  return groups.map(([country, inIt]): [string, number] => [country, inIt.length]).sort((a, b) => b[1] - a[1]);
}

/** What a concise record says of the sites of its registrations; undefined where none lists any. */
export function conciseSites(fields: readonly JsonObject[]): JsonObject | undefined {
  const sites = fields.flatMap((each) => objectsOf(each.sites));
  if (sites.length === 0) return undefined;
  const countries = numbersByCountry(sites);
  const shown = countries.slice(0, CONCISE_COUNTRIES).map(([country, number]) => `${country} ${number}`);
  const rest = countries.length - shown.length;
  return {
    total: sites.length,
    byCountry: rest > 0 ? [...shown, `+${rest} more`] : shown,
    first: sites.slice(0, CONCISE_SITES).map(siteLine),
  };
}

function siteLine({ facility, city, state, country, status }: JsonObject): string {
  const place = [facility, city, state, country].filter(isStated).join(', ') || 'a place without a name';
  return isStated(status) ? `${place} (${status})` : place;
}

/** Operations whose answers hold whole records, each with where in the data they are. */
const RECORDS: Readonly<Record<string, (data: JsonObject) => { at: string; trial: JsonObject }[]>> = {
  'trials-detail': (data) => [{ at: '', trial: data }],
  'trials-registrations': (data) =>
    objectsOf(data.matches).map(({ trial }, place) => ({ at: `matches.${place}.trial.`, trial: objectOf(trial) })),
};

/**
 * An answer with the first sites of each registration; `_meta.cut` says how many there are in each country and where they are. The
 * answer that is given stays as it is.
 */
export function withFewSites(operationId: string, envelope: Envelope): Envelope {
  const recordsOf = RECORDS[operationId];
  if (recordsOf === undefined || !hasManySites(recordsOf(objectOf(envelope.data)))) return envelope;
  const data = structuredClone(objectOf(envelope.data));
  const cut = recordsOf(data).flatMap(({ at, trial }) =>
    objectsOf(trial.registrations).flatMap(({ fields }, place) => {
      const own = objectOf(fields);
      const sites = objectsOf(own.sites);
      if (sites.length <= WHOLE_RECORD_SITES) return [];
      own.sites = sites.slice(0, WHOLE_RECORD_SITES);
      return {
        ...{
          at: `${at}registrations.${place}.fields.sites`,
          shown: WHOLE_RECORD_SITES,
          of: sites.length,
          unit: 'items',
        },
        byCountry: Object.fromEntries(numbersByCountry(sites)),
        whole: `/api/v1/trials/${trial.canonicalId}/sites`,
      };
    }),
  );
  return { data, _meta: { ...envelope._meta, cut } };
}

function hasManySites(records: readonly { trial: JsonObject }[]): boolean {
  return records.some(({ trial }) =>
    objectsOf(trial.registrations).some(({ fields }) => listOf(objectOf(fields).sites).length > WHOLE_RECORD_SITES),
  );
}
