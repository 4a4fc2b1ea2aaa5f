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
import { TopicConcepts } from './topic-concepts.ts';
import { type Topic, TopicMatcher, type TopicText } from './topics.ts';
import { type TrialConceptIds, TrialConcepts } from './trial-concepts.ts';

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
const NONE = -1;
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
/** Numbers of a word's posting keys; NONE for a kind of text in which it has not occurred, or which has no key. */
type WordNumbers = Record<TextKind | 'text', number>;
const UNSEEN = { title: NONE, officialTitle: NONE, condition: NONE, intervention: NONE, sponsor: NONE };

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
  readonly #words = new Map<string, WordNumbers>();
  readonly #texts: Record<TextKind, Map<string, ReadText>> = {
    title: new Map(),
    officialTitle: new Map(),
    condition: new Map(),
    intervention: new Map(),
    sponsor: new Map(),
  };
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
  add({ row, merged, registrations }: TrialText): number[] {
    this.index.beginRow(row);
    const titles = distinct(registrations, ({ title }) => [title]);
    const conditions = distinct(registrations, (one) => one.conditions);
    const acronyms = distinct(registrations, ({ acronym }) => [acronym]);
    const officialTitles = distinct(registrations, (one) => [one.official_title]);
    const read = new Map<string, ReadText>();
    const readAll = (kind: TextKind, texts: readonly string[]): void => {
      for (const text of texts) {
        const found = this.#read(kind, text);
        // A text of two kinds has the keys of both, and counts once in the sequence.
        if (read.has(text)) this.#addNumbers(found);
        else read.set(text, found);
      }
    };
    readAll('title', [...titles, ...acronyms]);
    readAll('officialTitle', officialTitles);
    readAll('condition', conditions);
    const ofTopics = [...new Set([...titles, ...conditions])].map((text) => read.get(text) as ReadText);
    for (const topic of this.#matcher.topicsOf(ofTopics)) this.#addValue(POSTING.topic, topic);

    const interventions = new Map(
      distinct(registrations, interventionTexts).map((text) => [text, this.#read('intervention', text)]),
    );
    const unitsOf = (text: string) => (read.get(text) ?? interventions.get(text))?.units;
    const concepts = this.#concepts.of(registrations, unitsOf);
    this.#addConcepts(concepts);
    for (const topic of this.#topicConcepts.topicsOf(concepts.stated, ofTopics)) {
      this.#addValue(POSTING.topicByConcepts, topic);
    }
    for (const pair of otherNames(registrations)) this.index.add(POSTING.otherName + pair);

    for (const condition of conditions) this.#addValue(POSTING.condition, condition, foldTerm);
    const countries = distinct(registrations, (one) => one.countries);
    for (const country of countries) this.#addValue(POSTING.country, country, foldTerm);
    this.#addValue(POSTING.status, merged.status);
    this.#addValue(POSTING.recruitment, merged.recruitment_status);
    for (const phase of [merged.phase, ...(PHASE_PARTS[merged.phase] ?? [])]) this.#addValue(POSTING.phase, phase);
    this.#addValue(POSTING.studyType, merged.study_type);
    for (const { registry, status } of registrations) {
      this.#addValue(POSTING.registry, registry);
      if (status === 'running') this.#addValue(POSTING.runningIn, registry);
    }
    this.#addValue(POSTING.results, String(merged.results_available));
    this.#addDetails(merged.sponsor_class, registrations);
    const sponsors = distinct(registrations, ({ sponsor_name }) => [sponsor_name]);
    return this.#enter([
      ...read.values(),
      ...interventions.values(),
      ...sponsors.map((text) => this.#read('sponsor', text)),
    ]);
  }

  #addConcepts({ all, title, condition, intervention }: TrialConceptIds): void {
    for (const concept of all) this.#addValue(POSTING.concept, concept);
    for (const concept of title) this.#addValue(POSTING.conceptInTitle, concept);
    for (const concept of condition) this.#addValue(POSTING.conceptInCondition, concept);
    for (const concept of intervention) this.#addValue(POSTING.conceptInIntervention, concept);
  }

  /** Values of the long fields that filters ask for. Their words are no text that a search finds. */
  #addDetails(sponsorClass: string, registrations: readonly RegistrationText[]): void {
    this.#addValue(POSTING.sponsorClass, sponsorClass);
    this.#addValue(POSTING.sex, registrations.find(({ sex }) => sex !== NOT_SAID)?.sex ?? NOT_SAID);
    const healthy = registrations.find(({ healthy_volunteers }) => healthy_volunteers !== null)?.healthy_volunteers;
    this.#addValue(POSTING.healthy, String(healthy ?? NOT_SAID));
    for (const name of distinct(registrations, (one) => one.sites.map(({ country }) => country))) {
      this.#addValue(POSTING.siteCountry, name, foldTerm);
    }
    for (const name of distinct(registrations, (one) => one.sites.map(({ city }) => city))) {
      if (foldPlace(name) !== '') this.#addValue(POSTING.siteCity, name, foldPlace);
    }
    for (const key of new Set(registrations.flatMap(({ sites }) => sites.flatMap(siteKeys)))) this.index.add(key);
    for (const name of distinct(registrations, (one) => one.organisations)) {
      for (const key of indexKeys(name)) this.#addValue(POSTING.anySponsor, key);
    }
    for (const words of distinct(registrations, ({ keywords }) => keywords)) {
      for (const key of indexKeys(words)) this.#addValue(POSTING.keyword, key);
    }
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
      const word = this.#numbersOf(kind, key);
      numbers.push(word.text);
      if (word[kind] !== NONE) numbers.push(word[kind]);
      return word.text;
    });
    const read = { units, keys, numbers, sequence };
    if (text.length <= REMEMBERED_LENGTH) remember(this.#texts[kind], text, read);
    return read;
  }

  #numbersOf(kind: TextKind, key: string): WordNumbers {
    let numbers = this.#words.get(key);
    if (numbers === undefined) {
      numbers = { ...UNSEEN, text: this.index.numberOf(POSTING.text + key) };
      this.#words.set(key, numbers);
    }
    const own = OWN_KEY[kind];
    if (numbers[kind] === NONE && own !== null) numbers[kind] = this.index.numberOf(own + key);
    return numbers;
  }

  #addValue(prefix: string, value: string, form: (value: string) => string = (same) => same): void {
    let known = this.#values.get(prefix);
    if (known === undefined) {
      known = new Map();
      this.#values.set(prefix, known);
    }
    let number = known.get(value);
    if (number === undefined) {
      number = this.index.numberOf(prefix + form(value));
      remember(known, value, number);
    }
    this.index.addNumber(number);
  }
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
