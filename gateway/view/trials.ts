import { cutName, cutText } from './cut-text.ts';
import { isStated, type JsonObject, listOf, objectOf, objectsOf, stated, textOf, textsOf } from './json.ts';

/** Concise trials. Names are those of the record; what is an object there and one value here has the value that a reader looks for. */

const TITLE_MAX_CHARACTERS = 100;
const NAME_MAX_CHARACTERS = 44;
/** Conditions, and names of interventions, that a trial of a list shows, and the room of all of them. */
const LISTED_NAMES = 2;
const LISTED_NAMES_CHARACTERS = 52;

/**
 * A trial in a list: one line's worth. `recruitmentStatus` stands where it says more than the status, `resultsAvailable` where it is
 * true.
 */
export function listedTrial(trial: JsonObject): JsonObject {
  return stated({
    canonicalId: trial.canonicalId,
    ids: idsOf(trial),
    title: titleOf(trial, TITLE_MAX_CHARACTERS),
    phase: trial.phase,
    status: trial.status,
    recruitmentStatus: trial.recruitmentStatus === trial.status ? undefined : trial.recruitmentStatus,
    siteStatus: siteStatusOf(trial),
    start: dateOf(trial, 'start'),
    enrollment: objectOf(trial.enrollment).count,
    sponsor: sponsorOf(trial, NAME_MAX_CHARACTERS),
    conditions: namesOf(textsOf(trial.conditions)),
    interventions: namesOf(interventionNames(trial)),
    resultsAvailable: trial.resultsAvailable === true ? true : undefined,
    conflicts: objectsOf(trial.conflicts).map(({ field }) => field),
    daysOverdue: trial.daysOverdue,
    matchedBy: groundsOf(trial),
    modality: trial.modality,
    eligibilityText: trial.eligibilityText,
  });
}

/** Statuses of its sites in the place that was asked for, and whether they are only the trial's. */
function siteStatusOf({ siteStatus }: JsonObject): string | undefined {
  if (siteStatus === undefined) return undefined;
  const { statuses, basis } = objectOf(siteStatus);
  return `${textsOf(statuses).join(', ')}${basis === 'trial' ? " (the trial's; no site there states one)" : ''}`;
}

/** Ids of its registrations. */
function idsOf(trial: JsonObject): unknown[] {
  return objectsOf(trial.registrations).map(({ id }) => id);
}

function titleOf(trial: JsonObject, most: number): string | undefined {
  const title = textOf(trial.title) ?? textOf(trial.officialTitle);
  return title && cutName(title, most);
}

function sponsorOf(trial: JsonObject, most: number): string | undefined {
  const name = textOf(objectOf(trial.sponsor).name);
  return name && cutName(name, most);
}

function dateOf(trial: JsonObject, name: string): unknown {
  return objectOf(objectOf(trial.dates)[name]).date;
}

function interventionNames(trial: JsonObject): string[] {
  return objectsOf(trial.interventions).flatMap(({ name, type }) => textOf(name) ?? textOf(type) ?? []);
}

/** The first names, as many as there is room for, and how many there are more. */
function namesOf(names: readonly string[]): string[] {
  const shown: string[] = [];
  let room = LISTED_NAMES_CHARACTERS;
  for (const name of names.slice(0, LISTED_NAMES)) {
    if (shown.length > 0 && name.length > room) break;
    shown.push(cutName(name, Math.max(room, NAME_MAX_CHARACTERS)));
    room -= name.length;
  }
  return withRest(shown, names.length);
}

function withRest(shown: string[], total: number): string[] {
  return total > shown.length ? [...shown, `+${total - shown.length} more`] : shown;
}

/** Why a search by concepts found it, without what `_meta.matching` says of the words. */
function groundsOf(trial: JsonObject): string[] {
  return objectsOf(trial.matchedBy)
    .slice(0, LISTED_NAMES)
    .map(({ via, term }) => cutName([via, term].filter(isStated).join(': '), NAME_MAX_CHARACTERS));
}

const RECORD = {
  title: 240,
  endpoints: 3,
  endpoint: 150,
  timeFrame: 60,
  conditions: 8,
  interventions: 8,
  countries: 12,
  name: 90,
  summary: 400,
  eligibility: 500,
  identifiers: 10,
  evidence: 3,
  rawValue: 100,
  citation: 260,
  conflicts: 8,
  conflict: 160,
} as const;

/** The record itself. What its caller asked for by `include=modality` or `includeRaw` stays whole. */
export function trialRecord(trial: JsonObject): JsonObject {
  const registrations = objectsOf(trial.registrations);
  const fields = objectsOf(registrations.map((registration) => registration.fields));
  const official = textOf(trial.officialTitle);
  return stated({
    canonicalId: trial.canonicalId,
    aliases: trial.aliases,
    title: titleOf(trial, RECORD.title),
    officialTitle: official === trial.title ? undefined : official && cutName(official, RECORD.title),
    acronym: trial.acronym,
    status: trial.status,
    recruitmentStatus: trial.recruitmentStatus,
    phase: trial.phase,
    studyType: trial.studyType,
    sponsor: sponsorOf(trial, RECORD.name),
    sponsorClass: objectOf(trial.sponsor).class,
    enrollment: stated(objectOf(trial.enrollment)),
    conditions: some(textsOf(trial.conditions), RECORD.conditions),
    interventions: some(
      objectsOf(trial.interventions).map(({ type, name, description }) =>
        [type, name ?? description].filter(isStated).join(': '),
      ),
      RECORD.interventions,
    ),
    primaryEndpoints: endpointsOf(trial),
    countries: some(textsOf(trial.countries), RECORD.countries),
    dates: Object.fromEntries(Object.entries(objectOf(trial.dates)).flatMap(shortDate)),
    resultsAvailable: trial.resultsAvailable,
    summary: fields.map(({ briefSummary }) => textOf(briefSummary)).find(isStated),
    registrations: registrations.map(({ registry, id, url, retrievedAt }) => ({ registry, id, url, retrievedAt })),
    supersededBy: trial.supersededBy,
    otherIds: otherIdsOf(trial),
    evidence: evidenceOf(trial, RECORD.evidence),
    conflicts: conflictsOf(trial),
    relations: objectsOf(trial.relations)
      .slice(0, RECORD.conflicts)
      .map(({ reason, from, to, canonicalId }) => stated({ reason, from, to, canonicalId })),
    citation: cutText(textOf(objectOf(trial.citation).text) ?? '', RECORD.citation),
    verifyAt: objectOf(trial.citation).verifyAt,
    held: heldOf(fields),
    eligibilityText: trial.eligibilityText,
    modality: trial.modality,
    raw: trial.raw,
  });
}

function some(names: readonly string[], most: number): string[] {
  return withRest(
    names.slice(0, most).map((name) => cutName(name, RECORD.name)),
    names.length,
  );
}

function endpointsOf(trial: JsonObject): string[] {
  const all = objectsOf(trial.primaryEndpoints);
  const shown = all.slice(0, RECORD.endpoints).map(({ measure, timeFrame }) => {
    const frame = textOf(timeFrame);
    return `${cutName(textOf(measure) ?? '', RECORD.endpoint)}${frame ? ` (${cutName(frame, RECORD.timeFrame)})` : ''}`;
  });
  return withRest(shown, all.length);
}

/** A date, with `~` before one that the registry only expects. */
function shortDate([name, value]: [string, unknown]): [string, string][] {
  const { date, type } = objectOf(value);
  return typeof date === 'string' ? [[name, type === 'estimated' ? `~${date}` : date]] : [];
}

/** Identifiers besides those of its own registrations. */
function otherIdsOf(trial: JsonObject): string[] {
  const others = objectsOf(trial.identifiers).filter(({ role }) => role !== 'own');
  const shown = others.slice(0, RECORD.identifiers).map(({ type, value, role, suspect, canonicalId }) => {
    const notes = [role === 'declared' ? null : role, suspect === true ? 'suspect' : null, canonicalId].filter(
      isStated,
    );
    return `${type} ${value}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  });
  return withRest(shown, others.length);
}

/**
 * A trial that was looked up by one of its registrations: a line with the links that made it one trial, and those that were
 * rejected.
 */
export function identifiedTrial(trial: JsonObject): JsonObject {
  const { eligibilityText: _, ...line } = listedTrial(trial);
  return stated({ ...line, evidence: evidenceOf(trial, IDENTIFIED_EVIDENCE) });
}

const IDENTIFIED_EVIDENCE = 12;

/** The accepted links that made it one trial, then those that were rejected, in short. */
function evidenceOf(trial: JsonObject, most: number): unknown[] {
  const links = objectsOf(trial.evidence);
  const ordered = [
    ...links.filter(({ verdict }) => verdict === 'accepted'),
    ...links.filter(({ verdict }) => verdict !== 'accepted'),
  ];
  const shown = ordered.slice(0, most).map(({ rule, from, to, field, rawValue, direction, verdict, reason }) =>
    stated({
      ...{ rule, from, to, field, rawValue: cutText(String(rawValue ?? ''), RECORD.rawValue) },
      ...{ direction, verdict, reason },
    }),
  );
  return ordered.length > shown.length ? [...shown, `+${ordered.length - shown.length} more`] : shown;
}

function conflictsOf(trial: JsonObject): unknown[] {
  return objectsOf(trial.conflicts)
    .slice(0, RECORD.conflicts)
    .map(({ field, values }) => {
      const said = JSON.stringify(values) ?? '';
      return { field, values: said.length <= RECORD.conflict ? values : cutText(said, RECORD.conflict) };
    });
}

/** Long parts of the registrations that are left out here, with how many items they have. */
const HELD_PARTS = ['secondaryOutcomes', 'arms', 'sites', 'documents'];

function heldOf(fields: readonly JsonObject[]): JsonObject | undefined {
  const counts = HELD_PARTS.map(
    (name) => [name, Math.max(0, ...fields.map((each) => listOf(each[name]).length))] as const,
  ).filter(([, count]) => count > 0);
  return counts.length === 0 ? undefined : Object.fromEntries(counts);
}

/** The record within its room: what it can do without goes first. What was asked for by `include` is not counted. */
export function fittedRecord(trial: JsonObject, mostCharacters: number): JsonObject {
  const record = trialRecord(trial);
  const summary = textOf(record.summary);
  if (summary) record.summary = cutText(summary, RECORD.summary);
  const eligibility = textOf(record.eligibilityText);
  if (eligibility) record.eligibilityText = cutText(eligibility, RECORD.eligibility);
  const { modality: _m, raw: _r, ...own } = record;
  let length = JSON.stringify(own).length;
  for (const name of DISPENSABLE) {
    if (length <= mostCharacters) break;
    if (record[name] === undefined) continue;
    length -= JSON.stringify(record[name]).length + name.length + 4;
    delete record[name];
  }
  return record;
}

const DISPENSABLE = ['eligibilityText', 'summary', 'officialTitle', 'countries', 'aliases', 'otherIds', 'relations'];
