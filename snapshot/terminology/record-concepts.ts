import type { TermSource } from './sources.ts';
import type { Terminology } from './terminology.ts';

/** Which concepts a registry record is about: the pipeline indexes them, the index server says why a trial matched. */

/** A MeSH term as the registry attached it. */
export interface MeshTerm {
  id: string | null;
  term: string;
}

/** Why a record is about a concept. A narrower concept stands for the broader ones. */
export interface ConceptGround {
  via: 'registry-mesh' | 'registry-mesh-ancestor' | TermSource;
  /** The registry's MeSH term, or the term of the terminology that the record's text has. */
  term: string;
}

/** A concept that attached MeSH terms state, with why. */
export interface StatedConcept {
  concept: number;
  ground: ConceptGround;
}

/**
 * The concepts that attached MeSH terms state, without most that are broader: the registry's own ancestors, which are of a newer
 * MeSH, are named where the terminology does not have them above the terms and no reviewed cut takes them away.
 */
export function statedMeshConcepts(
  terminology: Terminology,
  terms: readonly MeshTerm[],
  ancestors: readonly MeshTerm[],
): StatedConcept[] {
  const stated = knownTerms(terminology, terms);
  const concepts = stated.map(({ concept }) => concept);
  const covered = new Set(concepts.flatMap((concept) => [concept, ...terminology.broaderOf(concept)]));
  const further = knownTerms(terminology, ancestors).filter(
    ({ concept }) => !covered.has(concept) && !terminology.isCut(concept, concepts),
  );
  return [
    ...stated.map(({ concept, term }) => ({ concept, ground: { via: 'registry-mesh' as const, term } })),
    ...further.map(({ concept, term }) => ({ concept, ground: { via: 'registry-mesh-ancestor' as const, term } })),
  ];
}

/** The texts of a registration in which a concept counts: what it says it studies, and none of its prose. */
export interface ConceptTexts {
  /** Title and acronym. */
  title: readonly (string | null)[];
  condition: readonly string[];
  /** Names and other names. */
  intervention: readonly (string | null)[];
  /** Official title and keywords. */
  elsewhere: readonly (string | null)[];
}

function knownTerms(terminology: Terminology, terms: readonly MeshTerm[]): { term: string; concept: number }[] {
  return terms.flatMap(({ id, term }) => {
    const concept = (id === null ? undefined : terminology.numberOf(id)) ?? terminology.numberOfHeading(term);
    return concept === undefined ? [] : [{ term, concept }];
  });
}
