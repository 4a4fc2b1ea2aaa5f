import { statusAsked } from '../../../../contract/fields/registry-words.ts';
import { RECRUITMENT_STATUSES } from '../../../../contract/vocabularies.ts';
import { foldPlace, foldTerm, POSTING, siteKey } from '../../../../snapshot/format/serving-columns.ts';
import { namePairs } from '../../../../snapshot/format/words/other-names.ts';
import { encodeSequence, FIELD_BREAK } from '../../../../snapshot/format/words/sequence.ts';
import { indexKeys, textUnits } from '../../../../snapshot/format/words/tokens.ts';
import type { Terminology } from '../../../../snapshot/terminology/terminology.ts';
import { sortUtf8 } from '../byte-order.ts';
import type { RegistrationText, TrialText } from '../term-parts.ts';
import { PostingGatherer } from './posting-gatherer.ts';
import { type Topic, TopicConcepts, TopicMatcher, type TopicText } from './topics.ts';
import { TrialConcepts } from './trial-concepts.ts';

export type TermIndex = PostingGatherer<string>;

/** Gathers the keys of terms.arrow: texts, sorted by their UTF-8 bytes. */
export function termIndex(): TermIndex {
  return new PostingGatherer<string>({ sort: sortUtf8, encode: (key) => Buffer.from(key) });
}

/** Phases that a filter value finds: a combined phase is found by each of its parts and by itself. */
const PHASE_PARTS: Record<string, string[]> = { '1-2': ['1', '2'], '2-3': ['2', '3'], '3-4': ['3', '4'] };
/** How many texts and values of each kind are remembered: most occur many times. */
const REMEMBERED = 20_000;
/** Longer texts hardly ever occur twice. */
const REMEMBERED_LENGTH = 60;
const NOT_SAID = 'not-stated';

/** Where a word occurs. Besides its key of text, a word has a posting key for each kind that has one of its own. */
type TextKind = 'title' | 'officialTitle' | 'condition' | 'intervention' | 'sponsor';
const OWN_KEY: Record<TextKind, string | null> = {
  title: POSTING.titleText,
  officialTitle: null,
  condition: POSTING.conditionText,
  intervention: POSTING.intervention,
  sponsor: POSTING.sponsor,
};
/** A text as numbers of the index. */
interface ReadText extends TopicText {
  /** Numbers of its posting keys; a number may occur twice. */
  numbers: number[];
  sequence: number[];
}

/**
 * Gathers the posting keys of trials. Remembers the numbers of words, and of short texts as a whole: a key has to be
 * joined from prefix and word to look it up in the index, and this way it is joined once.
 */
export class TrialTerms {
  readonly index = termIndex();
  readonly #matcher: TopicMatcher;
  readonly #concepts: TrialConcepts;
  readonly #topicConcepts: TopicConcepts;
  /** Numbers of the posting keys of words, by kind of text: that of the word first. */
  readonly #words = mapsByKind<readonly number[]>();
  readonly #texts = mapsByKind<ReadText>();
  readonly #values = new Map<string, Map<string, number>>();

  constructor(topics: Topic[], terminology: Terminology) {
    this.#matcher = new TopicMatcher(topics);
    this.#concepts = new TrialConcepts(terminology);
    this.#topicConcepts = new TopicConcepts(topics, terminology);
  }

  /**
   * Adds one trial's posting keys to the index. Returns its term sequence for phrases, in numbers of the index. Text
   * and exact terms come from every registration of the trial; status, phase and type are the trial's own. Rows come in
   * ascending order.
   */
  add(trial: TrialText): number[] {
    const { row, registrations } = trial;
    this.index.beginRow(row);
    const titles = distinct(registrations, ({ title }) => [title]);
    const conditions = distinct(registrations, (one) => one.conditions);
    const read = new Map<string, ReadText>();
    const readAll = (kind: TextKind, texts: readonly string[]): void => {
      for (const text of texts) {
        const found = this.#read(kind, text);
        // A text of two kinds has the keys of both, and counts once in the sequence.
        if (read.has(text)) this.#addNumbers(found);
        else read.set(text, found);
      }
    };
    readAll('title', [...titles, ...distinct(registrations, ({ acronym }) => [acronym])]);
    readAll(
      'officialTitle',
      distinct(registrations, (one) => [one.official_title]),
    );
    readAll('condition', conditions);
    const interventions = new Map(
      distinct(registrations, interventionTexts).map((text) => [text, this.#read('intervention', text)]),
    );
    const sponsors = distinct(registrations, ({ sponsor_name }) => [sponsor_name]);

    const ofTopics = [...new Set([...titles, ...conditions])].map((text) => read.get(text) as ReadText);
    const unitsOf = (text: string) => (read.get(text) ?? interventions.get(text))?.units;
    const concepts = this.#concepts.of(registrations, unitsOf);
    this.#addValues([
      [POSTING.topic, this.#matcher.topicsOf(ofTopics)],
      [POSTING.topicByConcepts, this.#topicConcepts.topicsOf(concepts.stated, ofTopics)],
      [POSTING.concept, concepts.all],
      [POSTING.conceptInTitle, concepts.title],
      [POSTING.conceptInCondition, concepts.condition],
      [POSTING.conceptInIntervention, concepts.intervention],
      ...valuesOf(trial),
      ...detailsOf(trial),
    ]);
    for (const pair of otherNames(registrations)) this.index.add(POSTING.otherName + pair);
    for (const key of new Set(registrations.flatMap(({ sites }) => sites.flatMap(siteKeys)))) this.index.add(key);
    return this.#enter([
      ...read.values(),
      ...interventions.values(),
      ...sponsors.map((text) => this.#read('sponsor', text)),
    ]);
  }

  /** Adds the keys of the texts; returns their sequence. */
  #enter(texts: readonly ReadText[]): number[] {
    const sequence: number[] = [];
    for (const [place, text] of texts.entries()) {
      this.#addNumbers(text);
      if (place > 0) sequence.push(FIELD_BREAK);
      for (const value of text.sequence) sequence.push(value);
    }
    return sequence;
  }

  #addNumbers({ numbers }: ReadText): void {
    for (const number of numbers) this.index.addNumber(number);
  }

  #read(kind: TextKind, text: string): ReadText {
    const known = this.#texts[kind].get(text);
    if (known !== undefined) return known;
    const units = textUnits(text);
    const keys: string[] = [];
    const numbers: number[] = [];
    const sequence = encodeSequence([units], (key) => {
      keys.push(key);
      const ofWord = this.#numbersOf(kind, key);
      numbers.push(...ofWord);
      return ofWord[0] as number;
    });
    const read = { units, keys, numbers, sequence };
    if (text.length <= REMEMBERED_LENGTH) remember(this.#texts[kind], text, read);
    return read;
  }

  #numbersOf(kind: TextKind, key: string): readonly number[] {
    const known = this.#words[kind].get(key);
    if (known !== undefined) return known;
    const own = OWN_KEY[kind];
    const prefixes = own === null ? [POSTING.text] : [POSTING.text, own];
    const numbers = prefixes.map((prefix) => this.index.numberOf(prefix + key));
    this.#words[kind].set(key, numbers);
    return numbers;
  }

  #addValues(values: readonly Values[]): void {
    for (const [prefix, ofTrial, form] of values) {
      const known = this.#values.get(prefix) ?? new Map<string, number>();
      this.#values.set(prefix, known);
      for (const value of ofTrial) {
        const number = known.get(value) ?? this.index.numberOf(prefix + (form === undefined ? value : form(value)));
        if (!known.has(value)) remember(known, value, number);
        this.index.addNumber(number);
      }
    }
  }
}

/** Exact values of a trial with the prefix of their keys and the form in which they are looked up. */
type Values = [prefix: string, values: readonly string[], form?: (value: string) => string];

function valuesOf({ merged, registrations }: TrialText): Values[] {
  const running = registrations.filter(({ status }) => status === 'running');
  return [
    [POSTING.condition, distinct(registrations, (one) => one.conditions), foldTerm],
    [POSTING.country, distinct(registrations, (one) => one.countries), foldTerm],
    [POSTING.status, [merged.status]],
    [POSTING.recruitment, [merged.recruitment_status]],
    [POSTING.phase, [merged.phase, ...(PHASE_PARTS[merged.phase] ?? [])]],
    [POSTING.studyType, [merged.study_type]],
    [POSTING.registry, registrations.map(({ registry }) => registry)],
    [POSTING.runningIn, running.map(({ registry }) => registry)],
    [POSTING.results, [String(merged.results_available)]],
    [POSTING.sponsorClass, [merged.sponsor_class]],
  ];
}

/** Values of the long fields that filters ask for. Their words are no text that a search finds. */
function detailsOf({ registrations }: TrialText): Values[] {
  const healthy = registrations.find(({ healthy_volunteers }) => healthy_volunteers !== null)?.healthy_volunteers;
  const cities = distinct(registrations, (one) => one.sites.map(({ city }) => city));
  return [
    [POSTING.sex, [registrations.find(({ sex }) => sex !== NOT_SAID)?.sex ?? NOT_SAID]],
    [POSTING.healthy, [String(healthy ?? NOT_SAID)]],
    [POSTING.siteCountry, distinct(registrations, (one) => one.sites.map(({ country }) => country)), foldTerm],
    [POSTING.siteCity, cities.filter((name) => foldPlace(name) !== ''), foldPlace],
    [POSTING.anySponsor, distinct(registrations, (one) => one.organisations).flatMap(indexKeys)],
    [POSTING.keyword, distinct(registrations, ({ keywords }) => keywords).flatMap(indexKeys)],
  ];
}

function mapsByKind<V>(): Record<TextKind, Map<string, V>> {
  const make = (): Map<string, V> => new Map();
  return { title: make(), officialTitle: make(), condition: make(), intervention: make(), sponsor: make() };
}

function remember<V>(known: Map<string, V>, key: string, value: V): void {
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, value);
}

/** The keys under which a search asks for a site: its city in its country, and its status there and anywhere. */
function siteKeys({ country, city, status }: RegistrationText['sites'][number]): string[] {
  const [inCountry, inCity] = [foldTerm(country ?? ''), foldPlace(city ?? '')];
  const stated = status === null ? '' : statusAsked(status);
  const places = [{}, { country: inCountry }, { city: inCity }, { country: inCountry, city: inCity }];
  return [
    ...(inCountry !== '' && inCity !== '' ? [siteKey({ country: inCountry, city: inCity })] : []),
    ...(SITE_STATUSES.has(stated) ? places.map((place) => siteKey({ status: stated, ...place })) : []),
  ];
}

const SITE_STATUSES: ReadonlySet<string> = new Set(RECRUITMENT_STATUSES);

function interventionTexts({ interventions }: Pick<RegistrationText, 'interventions'>): (string | null)[] {
  return interventions.flatMap(({ name, other_names, description }) => [name, ...other_names, description]);
}

function otherNames(registrations: readonly RegistrationText[]): string[] {
  const interventions = registrations.flatMap((registration) => registration.interventions);
  return interventions.flatMap(({ type, name, other_names }) => namePairs(type, [name, ...other_names]));
}

/** The different texts of all registrations: a repeated text adds nothing to a search. */
function distinct<R>(registrations: readonly R[], texts: (row: R) => readonly (string | null)[]): string[] {
  const found = new Set<string>();
  for (const registration of registrations) {
    for (const text of texts(registration)) if (text !== null) found.add(text);
  }
  return [...found];
}
