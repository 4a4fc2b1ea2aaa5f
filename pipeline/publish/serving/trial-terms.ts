import { encodeSequence } from '../../../snapshot-format/sequence.ts';
import { foldTerm, POSTING } from '../../../snapshot-format/serving-columns.ts';
import { type TextUnit, textUnits, unitKeys } from '../../../snapshot-format/tokens.ts';
import { compareUtf8 } from './byte-order.ts';
import { PostingGatherer } from './posting-gatherer.ts';
import type { TopicMatcher } from './topics.ts';
import type { RegistrationRow, TrialParts } from './trial-parts.ts';

export type TermIndex = PostingGatherer<string>;

/** The keys of terms.arrow: text in the order of its UTF-8 bytes. */
export function termIndex(): TermIndex {
  return new PostingGatherer<string>({ compare: compareUtf8, encode: (key) => Buffer.from(key) });
}

/** Phases that a filter value finds: a combined phase is found by each of its parts and by itself. */
const PHASE_PARTS: Record<string, string[]> = { '1-2': ['1', '2'], '2-3': ['2', '3'], '3-4': ['3', '4'] };

/** Ids of the topics that any registration's title or conditions meet. */
export function topicsOfTrial(matcher: TopicMatcher, { registrations }: TrialParts): string[] {
  const titles = distinct(registrations, ({ title }) => [title]);
  return matcher.topicsOf([...titles, ...distinct(registrations, (row) => row.conditions)]);
}

/**
 * Enters one trial's posting keys into the index, in whose numbers its term sequence for phrases is returned. Text and exact terms come
 * from every registration of the trial; status, phase and type are the trial's own.
 */
export function indexTrial(index: TermIndex, topics: string[], parts: TrialParts): number[] {
  const { row, trial, registrations } = parts;
  index.beginRow(row);
  const interventions = distinct(registrations, interventionTexts);
  const sponsors = distinct(registrations, ({ sponsor_name }) => [sponsor_name]);
  const titles = distinct(registrations, ({ title }) => [title]);
  const conditions = distinct(registrations, (row) => row.conditions);
  const otherTitles = distinct(registrations, (row) => [row.official_title, row.acronym]);

  const interventionUnits = interventions.map(textUnits);
  const sponsorUnits = sponsors.map(textUnits);
  const fields = [
    ...[...new Set([...titles, ...otherTitles, ...conditions])].map(textUnits),
    ...interventionUnits,
    ...sponsorUnits,
  ];
  addKeys(index, POSTING.text, fields);
  addKeys(index, POSTING.intervention, interventionUnits);
  addKeys(index, POSTING.sponsor, sponsorUnits);
  for (const condition of conditions) index.add(POSTING.condition + foldTerm(condition));
  for (const country of distinct(registrations, (row) => row.countries)) index.add(POSTING.country + foldTerm(country));
  for (const topic of topics) index.add(POSTING.topic + topic);

  index.add(POSTING.status + trial.status);
  index.add(POSTING.recruitment + trial.recruitment_status);
  for (const phase of [trial.phase, ...(PHASE_PARTS[trial.phase] ?? [])]) index.add(POSTING.phase + phase);
  index.add(POSTING.studyType + trial.study_type);
  for (const { registry, status } of registrations) {
    index.add(POSTING.registry + registry);
    if (status === 'running') index.add(POSTING.runningIn + registry);
  }
  index.add(POSTING.results + String(trial.results_available));
  return encodeSequence(fields, (key) => index.numberOf(POSTING.text + key));
}

function interventionTexts({ interventions }: RegistrationRow): (string | null)[] {
  return interventions.flatMap(({ name, other_names, description }) => [name, ...other_names, description]);
}

function addKeys(index: TermIndex, prefix: string, fields: TextUnit[][]): void {
  for (const units of fields) for (const key of unitKeys(units)) index.add(prefix + key);
}

/** The stated texts of all registrations, each once: a repeated text adds nothing to a search. */
function distinct(registrations: RegistrationRow[], texts: (row: RegistrationRow) => (string | null)[]): string[] {
  return [...new Set(registrations.flatMap(texts).filter((text) => text !== null))];
}
