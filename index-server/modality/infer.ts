import type { ModalityField } from '../../contract/modality.ts';
import type { ModalityRecord } from '../../contract/schemas/modality.ts';
import type { TrialListItem } from '../../contract/schemas/trial.ts';
import { TermMatcher } from './matcher.ts';
import { type Word, wordsOf } from './pattern.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

export type Intervention = TrialListItem['interventions'][number];

/** One piece of evidence that an intervention belongs to a group. */
export interface Evidence {
  /** Place of the group in the vocabulary. */
  group: number;
  term: string;
  text: string;
  field: ModalityField;
}

/** What parts of a name are set apart by, where one of them may be the placebo. */
const SEPARATORS = /[,;+/.]|\b(?:or|and|plus|versus|vs|then)\b/i;
/** Distinct interventions that are kept: names repeat, prose does not. */
const KEPT_INTERVENTIONS = 20_000;
const KEPT_MAX_CHARACTERS = 200;
/** The same term is shown once for each writing, and no more often than this for one group. */
const SHOWN_MAX_TERMS = 20;

/** Reads modalities off interventions by the vocabulary; the same text always gives the same labels. */
export class ModalityInference {
  readonly vocabulary: ModalityVocabulary;
  readonly #matcher: TermMatcher;
  readonly #inert: ReadonlySet<string>;
  readonly #yields: readonly number[][];
  readonly #byType = new Map<string, number>();
  readonly #kept = new Map<string, readonly Evidence[]>();

  constructor(vocabulary: ModalityVocabulary) {
    this.vocabulary = vocabulary;
    const { groups } = vocabulary;
    this.#matcher = new TermMatcher(groups);
    this.#inert = new Set(vocabulary.inert.flatMap((word) => wordsOf(word).map(({ key }) => key)));
    this.#yields = groups.map(({ yieldsTo }) => yieldsTo.map((id) => groups.findIndex((other) => other.id === id)));
    groups.forEach(({ types }, group) => {
      for (const type of types) this.#byType.set(type, group);
    });
  }

  /** Bit n is set when a label of group n holds. */
  mask(interventions: readonly Intervention[]): number {
    let mask = 0;
    for (const intervention of interventions) {
      for (const { group } of this.#evidence(intervention)) mask |= 1 << group;
    }
    return mask;
  }

  labels(interventions: readonly Intervention[]): ModalityRecord['labels'] {
    const evidence = interventions.flatMap((intervention) => this.#evidence(intervention));
    return this.vocabulary.groups.flatMap(({ id }, place) => {
      const own = evidence.filter(({ group }) => group === place);
      if (own.length === 0) return [];
      const distinct = new Map(
        own.map(({ term, text, field }) => [JSON.stringify([term, text, field]), { term, text, field }]),
      );
      return [{ id, matchedTerms: [...distinct.values()].slice(0, SHOWN_MAX_TERMS) }];
    });
  }

  #evidence(intervention: Intervention): readonly Evidence[] {
    const { type, name, otherNames, description } = intervention;
    const key = JSON.stringify([type, name, otherNames, description]);
    if (key.length > KEPT_MAX_CHARACTERS) return this.#infer(intervention);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const evidence = this.#infer(intervention);
    if (this.#kept.size >= KEPT_INTERVENTIONS) this.#kept.clear();
    this.#kept.set(key, evidence);
    return evidence;
  }

  #infer({ type, name, otherNames, description }: Intervention): Evidence[] {
    const named = name === null ? [] : this.#active(name);
    // The other names of a placebo name no substance that is given.
    if (name !== null && named.length === 0) return [];
    const prose = description === null ? [] : this.#active(description);
    const found = [
      ...named.flatMap((words) => this.#read(words, 'name')),
      ...otherNames.flatMap((other) => this.#active(other).flatMap((words) => this.#read(words, 'otherNames'))),
      ...prose.flatMap((words) => this.#read(words, 'description')),
    ];
    const groups = new Set(found.map(({ group }) => group));
    const kept = found.filter(({ group }) => !this.#yields[group]?.some((other) => groups.has(other)));
    if (kept.length > 0 || type === null) return kept;
    const group = this.#byType.get(type);
    // Prose in which nothing but a placebo stands says no more than a name that does.
    if (group === undefined || (name === null && description !== null && prose.length === 0)) return kept;
    return [{ group, term: `type ${type}`, text: type, field: 'type' }];
  }

  #read(words: readonly Word[], field: 'name' | 'otherNames' | 'description'): Evidence[] {
    return this.#matcher.hits(words, field !== 'description').map(({ group, term, start, end }) => ({
      group,
      term,
      text: words
        .slice(start, end)
        .map(({ written }) => written)
        .join(' '),
      field,
    }));
  }

  /** The words of a text, without the parts that are a placebo or a sham; empty where there are no words. */
  #active(text: string): Word[][] {
    const words = wordsOf(text);
    if (words.length === 0) return [];
    if (!this.#isInert(words)) return [words];
    return text
      .split(SEPARATORS)
      .map(wordsOf)
      .filter((part) => part.length > 0 && !this.#isInert(part));
  }

  #isInert(words: readonly Word[]): boolean {
    return words.some(({ key }) => this.#inert.has(key));
  }
}
