import { encodeSequence } from '../../../snapshot-format/sequence.ts';
import { foldTerm, POSTING } from '../../../snapshot-format/serving-columns.ts';
import { type TextUnit, textUnits } from '../../../snapshot-format/tokens.ts';
import { compareUtf8 } from './byte-order.ts';
import { PostingGatherer } from './posting-gatherer.ts';
import type { TopicMatcher } from './topics.ts';
import type { RegistrationRow, TrialParts } from './trial-parts.ts';

/** The tokens of one kind of text. Millions are looked up by the bare token, whose hash is known, without a prefix. */
class Tokens {
  readonly #index: TermIndex;
  readonly #prefix: string;
  readonly #numbers = new Map<string, number>();

  constructor(index: TermIndex, prefix: string) {
    this.#index = index;
    this.#prefix = prefix;
  }

  readonly numberOf = (token: string): number => {
    const known = this.#numbers.get(token);
    if (known !== undefined) return known;
    const number = this.#index.numberOf(this.#prefix + token);
    this.#numbers.set(token, number);
    return number;
  };

  /** Says that the row being gathered holds the tokens of these texts; a repeated one adds nothing. */
  add(fields: TextUnit[][]): void {
    for (const units of fields) {
      for (const unit of units) {
        if (unit.kind === 'word') {
          this.#index.addNumber(this.numberOf(unit.key));
        } else {
          for (const part of unit.parts) this.#index.addNumber(this.numberOf(part));
          this.#index.addNumber(this.numberOf(unit.joined));
        }
      }
    }
  }
}

/** The keys of terms.arrow: text in the order of its UTF-8 bytes. */
export class TermIndex extends PostingGatherer<string> {
  readonly text = new Tokens(this, POSTING.text);
  readonly intervention = new Tokens(this, POSTING.intervention);
  readonly sponsor = new Tokens(this, POSTING.sponsor);

  constructor() {
    super({ compare: compareUtf8, encode: (key) => Buffer.from(key) });
  }
}

/** Phases that a filter value finds: a combined phase is found by each of its parts and by itself. */
const PHASE_PARTS: Record<string, string[]> = { '1-2': ['1', '2'], '2-3': ['2', '3'], '3-4': ['3', '4'] };

/** Ids of the topics that any registration's title or conditions meet. */
export function topicsOfTrial(matcher: TopicMatcher, { registrations }: TrialParts): string[] {
  const titles = distinct(registrations, ({ title }) => [title]);
  return matcher.topicsOf([...titles, ...distinct(registrations, (row) => row.conditions)]);
}

/**
 * Enters one trial's posting keys into the index and returns its term sequence for phrases. Text and exact terms come
 * from every registration of the trial; status, phase and type are the trial's own.
 */
export function indexTrial(index: TermIndex, topics: string[], parts: TrialParts): number[] {
  const { trial, registrations } = parts;
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
  index.text.add(fields);
  index.intervention.add(interventionUnits);
  index.sponsor.add(sponsorUnits);
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
  index.endRow();
  return encodeSequence(fields, index.text.numberOf);
}

function interventionTexts({ interventions }: RegistrationRow): (string | null)[] {
  return interventions.flatMap(({ name, other_names, description }) => [name, ...other_names, description]);
}

/** The stated texts of all registrations, each once: a repeated text adds nothing to a search. */
function distinct(registrations: RegistrationRow[], texts: (row: RegistrationRow) => (string | null)[]): string[] {
  return [...new Set(registrations.flatMap(texts).filter((text) => text !== null))];
}
