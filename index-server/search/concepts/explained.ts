import type { TermSource } from '../../../snapshot/terminology/source-file.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import { membersOf } from '../../modality/trial-texts.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { ConceptTree } from './concept-query.ts';
import type { StatedName } from './stated-names.ts';

/** Most terms of a concept that `explain` shows. */
const EXPLAINED_TERMS = 30;

/** The tree of a query as it is shown. */
export function explained(tree: ConceptTree, terminology: Terminology, image: SnapshotImage): Record<string, unknown> {
  const inner = (one: ConceptTree) => explained(one, terminology, image);
  if ('all' in tree) return { all: tree.all.map(inner) };
  if ('any' in tree) return { any: tree.any.map(inner) };
  if ('not' in tree) return { not: inner(tree.not) };
  const { reading } = tree.clause;
  if (reading.kind === 'phrase') return { phrase: reading.words };
  if (reading.kind === 'words') {
    const { words, writings } = reading;
    return { words, ...(writings.length > 1 && { writings }) };
  }
  if (reading.kind === 'names') {
    return { words: reading.words, otherNames: reading.names.map((name) => shownName(name, image)) };
  }
  const { id, heading } = terminology.concepts[reading.concept]!;
  const names: { term: string; source: TermSource }[] = terminology.namesOf(reading.concept);
  return {
    words: reading.words,
    concept: id,
    heading,
    term: reading.term,
    source: reading.source,
    names: names.slice(0, EXPLAINED_TERMS),
    moreNames: Math.max(0, names.length - EXPLAINED_TERMS),
  };
}

function shownName({ name, trials, example }: StatedName, image: SnapshotImage) {
  const [canonicalId] = membersOf<string>(image.slice(example, 'head'), 'canonicalId');
  return { name, trials, example: canonicalId };
}
