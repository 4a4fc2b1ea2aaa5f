import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { NormalisedRecord } from '../../pipeline/normalise/record.ts';
import type { RegistryDate } from '../../snapshot/format/registration.ts';
import type { Checked, Row } from './measure.ts';
import { content, isrctnPayloads, readCtgov, readIsrctn } from './real-records.ts';

/** What a reader wrote down of a record; null where the registry states nothing, absent where nobody judged. */
export type Value = string | number | boolean | null | string[];

export interface CheckedRecord {
  id: string;
  /** File of the registry records that holds it. */
  file: string;
  /** Day on which a status that follows from dates is judged. */
  asOf: string;
  right: Record<string, Value>;
}

interface ValueSet {
  checked: Checked;
  records: CheckedRecord[];
}

export const VALUES: ValueSet = JSON.parse(readFileSync(new URL('./sets/field-values.json', import.meta.url), 'utf8'));

/** Names are registry text, so the set holds the beginning of their hash. */
const HASH_CHARACTERS = 12;

function hashed(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS);
}

function typed(date: RegistryDate | null): string | null {
  return date === null ? null : date.type === null ? date.date : `${date.date} ${date.type}`;
}

/** What the pipeline gives, in the form of the checked values. */
export function valuesOf({ registration, identifiers }: NormalisedRecord): Record<string, Value> {
  const { dates } = registration;
  const { enrollmentCount: count, enrollmentType: type } = registration;
  return {
    status: registration.status,
    recruitmentStatus: registration.recruitmentStatus,
    studyType: registration.studyType,
    phase: registration.phase,
    enrollment: count === null ? null : `${count} ${type}`,
    start: typed(dates.start),
    primaryCompletion: typed(dates.primaryCompletion),
    completion: typed(dates.completion),
    firstPosted: dates.firstPosted?.date ?? null,
    lastUpdated: dates.lastUpdated?.date ?? null,
    resultsPosted: dates.resultsPosted?.date ?? null,
    resultsAvailable: registration.resultsAvailable,
    sponsorName: hashed(registration.sponsorName),
    sponsorClass: registration.sponsorClass,
    acronym: hashed(registration.acronym),
    countries: registration.countries,
    conditions: registration.conditions.length,
    interventions: registration.interventions.length,
    primaryEndpoints: registration.primaryEndpoints.length,
    identifiers: identifiers
      .filter(({ role }) => role === 'declared' || role === 'repaired')
      .map(({ type: kind, value }) => `${kind}:${value}`),
  };
}

/** The checked records as the normaliser reads them. */
export function readChecked(data: string): { record: CheckedRecord; found: Record<string, Value> }[] {
  const payloads = new Map<string, string[]>();
  const payloadOf = ({ id, file }: CheckedRecord): string => {
    const isStudy = file.startsWith('ctgov/');
    const held = payloads.get(file) ?? (isStudy ? content(data, file).split('\n') : isrctnPayloads(data, file));
    payloads.set(file, held);
    const own = isStudy ? `"nctId":"${id}"` : `>${id.slice('ISRCTN'.length)}</isrctn>`;
    const payload = held.find((text) => text.replaceAll(/"nctId"\s*:\s*/g, '"nctId":').includes(own));
    if (payload === undefined) throw new Error(`${file} does not hold ${id}`);
    return payload;
  };
  return VALUES.records.map((record) => {
    const read = record.file.startsWith('ctgov/') ? readCtgov : readIsrctn;
    return { record, found: valuesOf(read(payloadOf(record), record.asOf)) };
  });
}

const isEmpty = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === 'unknown' || value === 'not-stated' || value === 0 || value === '';

/** A list is compared without regard to order. */
const key = (value: Value | undefined): string => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);

/** Right, wrong and missing of the named fields: a value given is right or wrong, a value due is found or missing. */
export function valueRow(what: string, read: ReturnType<typeof readChecked>, fields: readonly string[]): Row {
  const precision = { hits: 0, of: 0 };
  const recall = { hits: 0, of: 0 };
  const misses: Row['misses'] = [];
  let n = 0;
  for (const { record, found } of read) {
    for (const field of fields) {
      const right = record.right[field];
      if (right === undefined) continue;
      n++;
      const given = found[field];
      const isRight = key(given) === key(right);
      const isGiven = !isEmpty(given) && key(given) !== '[]';
      const isDue = !isEmpty(right) && key(right) !== '[]';
      if (isGiven) precision.of++;
      if (isDue) recall.of++;
      if (isRight && isGiven) precision.hits++;
      if (isRight && isDue) recall.hits++;
      if (!isRight) misses.push({ id: record.id, why: isGiven ? 'wrong' : 'missing' });
    }
  }
  return { what, n, precision, recall, misses };
}
