import type { ModalityField } from '../../contract/modality.ts';
import type { ModalityRecord } from '../../contract/schemas/modality.ts';
import type { TrialListItem } from '../../contract/schemas/trial.ts';
import { type Hit, type KnownWord, TermMatcher } from './matcher.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

export type Intervention = TrialListItem['interventions'][number];

/** Evidence that an intervention belongs to a group: the words `start` to `end` of one text. */
interface Evidence extends Hit {
  field: ModalityField;
  words: readonly { written: string }[];
}

/** Separators between the parts of a name; one part may be the placebo. */
const SEPARATORS = /[,;+/.]|\b(?:or|and|plus|versus|vs|then)\b/i;
/** Most terms shown for a group; each spelling of a term is shown once. */
const SHOWN_MAX_TERMS = 20;

/** Infers modalities from interventions by the vocabulary; equal texts get equal labels. */
export class ModalityInference {
  readonly vocabulary: ModalityVocabulary;
  readonly #matcher: TermMatcher;
  readonly #yields: readonly number[][];
  readonly #byType = new Map<string, number>();

  constructor(vocabulary: ModalityVocabulary) {
    this.vocabulary = vocabulary;
    const { groups } = vocabulary;
    this.#matcher = new TermMatcher(vocabulary);
    this.#yields = groups.map(({ yieldsTo }) => yieldsTo.map((id) => groups.findIndex((other) => other.id === id)));
    groups.forEach(({ types }, group) => {
      for (const type of types) this.#byType.set(type, group);
    });
  }

  /** Bit n is set if the interventions have the label of group n. */
  mask(interventions: readonly Intervention[]): number {
    let mask = 0;
    for (const intervention of interventions) {
      for (const { group } of this.#infer(intervention)) mask |= 1 << group;
    }
    return mask;
  }

  labels(interventions: readonly Intervention[]): ModalityRecord['labels'] {
    const evidence = interventions.flatMap((intervention) => this.#infer(intervention));
    return this.vocabulary.groups.flatMap(({ id }, place) => {
      const own = evidence.filter(({ group }) => group === place);
      if (own.length === 0) return [];
      const distinct = new Map(
        own.map((one) => {
          const { term, field } = one;
          const text = textOf(one);
          return [JSON.stringify([term, text, field]), { term, text, field }];
        }),
      );
      return [{ id, matchedTerms: [...distinct.values()].slice(0, SHOWN_MAX_TERMS) }];
    });
  }

  #infer({ type, name, otherNames, description }: Intervention): Evidence[] {
    const named = name === null ? [] : this.#active(name);
    // A placebo's other names are no substance that is given.
    if (name !== null && named.length === 0) return [];
    const prose = description === null ? [] : this.#active(description);
    const found: Evidence[] = [];
    for (const words of named) this.#read(words, 'name', found);
    for (const other of otherNames) for (const words of this.#active(other)) this.#read(words, 'otherNames', found);
    for (const words of prose) this.#read(words, 'description', found);
    let groups = 0;
    for (const { group } of found) groups |= 1 << group;
    const kept = found.filter(({ group }) => !this.#yields[group]?.some((other) => (groups & (1 << other)) !== 0));
    if (kept.length > 0 || type === null) return kept;
    const group = this.#byType.get(type);
    // Prose that speaks only of a placebo is no evidence, just as a name that does.
    if (group === undefined || (name === null && description !== null && prose.length === 0)) return kept;
    return [{ group, term: `type ${type}`, field: 'type', words: [{ written: type }], start: 0, end: 1 }];
  }

  /** Adds the evidence in a text. */
  #read(words: readonly KnownWord[], field: 'name' | 'otherNames' | 'description', found: Evidence[]): void {
    for (const { group, term, start, end } of this.#matcher.hits(words, field !== 'description')) {
      found.push({ group, term, field, words, start, end });
    }
  }

  /** The words of a text, without the parts that name a placebo or a sham. */
  #active(text: string): KnownWord[][] {
    const words = this.#matcher.wordsOf(text);
    if (words.length === 0) return [];
    if (!isInert(words)) return [words];
    return text
      .split(SEPARATORS)
      .map((part) => this.#matcher.wordsOf(part))
      .filter((part) => part.length > 0 && !isInert(part));
  }
}

function isInert(words: readonly KnownWord[]): boolean {
  return words.some(({ inert }) => inert);
}

function textOf({ words, start, end }: Evidence): string {
  return words
    .slice(start, end)
    .map(({ written }) => written)
    .join(' ');
}
