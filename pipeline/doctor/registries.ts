import { z } from 'zod';
import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { normaliseCtgov } from '../normalise/ctgov/ctgov.ts';
import { normaliseIsrctn } from '../normalise/isrctn/isrctn.ts';
import type { NormalisedRecord } from '../normalise/record.ts';
import { RegistryClient } from '../raw/http-client.ts';
import { JsonSlicer } from '../raw/json-slicer.ts';
import { refuseHtml } from '../raw/live-run.ts';
import type { Slice, Slicer } from '../raw/slice.ts';
import { XmlSlicer } from '../raw/xml-slicer.ts';
import type { Asked, Finding } from './finding.ts';

/** Records that are asked for: few, and enough that a field which most records have is in one of them. */
const RECORDS = 20;
/** Two small requests to one registry; a pause between them would count as its own time. */
const REQUESTS_PER_SECOND = 5;
/** Fewer records say nothing about a field. */
const RECORDS_MIN = 10;

type Registration = NormalisedRecord['registration'];

/**
 * Fields that at least nine in ten of the real records have which this reader was made with (1,562 of ClinicalTrials.gov
 * of 2026, 11,072 of ISRCTN of 2022 and 32 of its API of 2024 and 2026). None of twenty having one means that the
 * registry has renamed it.
 */
const USUAL: Readonly<Record<RegistryId, Readonly<Record<string, (of: Registration) => unknown>>>> = {
  clinicaltrials_gov: {
    title: ({ title }) => title,
    officialTitle: ({ officialTitle }) => officialTitle,
    status: ({ statusRaw }) => statusRaw,
    studyType: ({ studyTypeRaw }) => studyTypeRaw,
    sponsor: ({ sponsorName }) => sponsorName,
    sponsorClass: ({ sponsorClassRaw }) => sponsorClassRaw,
    conditions: ({ conditions }) => conditions,
    interventions: ({ interventions }) => interventions,
    primaryEndpoints: ({ primaryEndpoints }) => primaryEndpoints,
    countries: ({ countriesRaw }) => countriesRaw,
    enrollment: ({ enrollmentRaw }) => enrollmentRaw,
    eligibility: ({ eligibilityText }) => eligibilityText,
    start: ({ dates }) => dates.start,
    primaryCompletion: ({ dates }) => dates.primaryCompletion,
    completion: ({ dates }) => dates.completion,
    firstPosted: ({ dates }) => dates.firstPosted,
    lastUpdated: ({ dates }) => dates.lastUpdated,
  },
  isrctn: {
    title: ({ title }) => title,
    scientificTitle: ({ officialTitle }) => officialTitle,
    studyDesign: ({ studyTypeRaw }) => studyTypeRaw,
    sponsor: ({ sponsorName }) => sponsorName,
    conditions: ({ conditions }) => conditions,
    interventions: ({ interventions }) => interventions,
    primaryOutcomes: ({ primaryEndpoints }) => primaryEndpoints,
    countries: ({ countriesRaw }) => countriesRaw,
    eligibility: ({ eligibilityText }) => eligibilityText,
    start: ({ dates }) => dates.start,
    end: ({ dates }) => dates.completion,
    firstPosted: ({ dates }) => dates.firstPosted,
    lastUpdated: ({ dates }) => dates.lastUpdated,
    version: ({ sourceVersion }) => sourceVersion,
  },
};

const versionSchema = z.object({ dataTimestamp: z.string().min(10) });

export interface RegistryQuestion {
  baseUrl: string;
  contact?: string;
}

export async function askCtgov({ baseUrl, contact }: RegistryQuestion, effects: Effects): Promise<Asked> {
  const client = clientOf('clinicaltrials_gov', baseUrl, contact, effects);
  const version = await client.get('/api/v2/version', {}, (body) => {
    refuseHtml('clinicaltrials_gov', body, 'JSON');
    return versionSchema.safeParse(JSON.parse(body.toString('utf8')));
  });
  const query = { format: 'json', pageSize: String(RECORDS), countTotal: 'true' };
  const { value } = await client.get('/api/v2/studies', query, (body) => {
    refuseHtml('clinicaltrials_gov', body, 'JSON');
    return cut(new JsonSlicer('page'), body);
  });
  const date = version.value.success ? version.value.data.dataTimestamp : null;
  return judged('clinicaltrials_gov', value, date, effects.now());
}

export async function askIsrctn({ baseUrl, contact }: RegistryQuestion, effects: Effects): Promise<Asked> {
  const client = clientOf('isrctn', baseUrl, contact, effects);
  // The question of a whole sweep, so that its count is the registry's.
  const q = 'lastEdited GE 2000-01-01T00:00:00 AND lastEdited LT 2100-01-01T00:00:00';
  const query = { q, limit: String(RECORDS) };
  const { value } = await client.get('/api/query/format/default', query, (body) => {
    refuseHtml('isrctn', body, 'XML');
    return cut(new XmlSlicer(), body);
  });
  return judged('isrctn', value, null, effects.now());
}

/** Tries once, since an operator waits. */
function clientOf(registry: RegistryId, baseUrl: string, contact: string | undefined, effects: Effects) {
  return new RegistryClient(
    { registry, baseUrl, attempts: 1, rate: REQUESTS_PER_SECOND, ...(contact === undefined ? {} : { contact }) },
    effects,
  );
}

interface Page {
  slices: Slice[];
  total: number | null;
}

function cut(slicer: Slicer, body: Buffer): Page {
  const slices = [...slicer.push(body), ...slicer.end()];
  return { slices, total: slicer.statedTotal() };
}

/** Reads the records as a run would, and looks for what is missing in all of them. */
function judged(registry: RegistryId, { slices, total }: Page, stated: string | null, now: Date): Asked {
  const context = { asOf: now.toISOString().slice(0, 10) };
  const read = registry === 'isrctn' ? normaliseIsrctn : normaliseCtgov;
  const records = slices.map((slice) => (slice.ok ? read(slice.bytes, now.toISOString(), context) : slice));
  const sound = records.flatMap((record) => (record.ok && 'registration' in record ? [record] : []));
  const faults: Finding['faults'] = [];
  const mend = `the registry's form has changed: keep the last good set, and mend pipeline/normalise/${registry === 'isrctn' ? 'isrctn' : 'ctgov'}.ts by its API's documentation`;
  const note = (fault: string): void => void faults.push({ fault, mend });
  if (total === null) note('it does not say how many records it holds (totalCount)');
  if (registry === 'clinicaltrials_gov' && stated === null) note('/api/v2/version has no dataTimestamp');
  if (records.length === 0) note('no record came');
  for (const record of records) if (!record.ok) note(`a record cannot be read: ${record.reason}, ${record.detail}`);
  const form = Object.entries(USUAL[registry]).map(([field, value]) => {
    const filled = sound.filter(({ registration }) => isFilled(value(registration))).length;
    return { field, filled, of: sound.length };
  });
  for (const { field, filled, of } of form) {
    if (of >= RECORDS_MIN && filled === 0) note(`none of ${of} records has ${field}, which most records have`);
  }
  const newest = sound
    .map(({ updated }) => updated)
    .sort()
    .at(-1);
  return { count: total, date: stated ?? newest ?? null, form, faults };
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}
