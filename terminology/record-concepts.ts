import type { TermSource } from './source-file.ts';
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

/** Calls `found` for each concept that attached MeSH terms state. The registry's ancestors are read only where they count. */
export function findMeshConcepts(
  terminology: Terminology,
  terms: readonly MeshTerm[],
  ancestors: () => readonly MeshTerm[],
  found: (concept: number, ground: ConceptGround) => void,
): void {
  const known = knownTerms(terminology, terms);
  for (const { term, concept } of known) if (concept !== undefined) found(concept, { via: 'registry-mesh', term });
  const ground = (term: string): ConceptGround => ({ via: 'registry-mesh-ancestor', term });
  for (const { term, concept } of known) {
    if (concept === undefined) continue;
    for (const broader of terminology.broaderOf(concept)) found(broader, ground(term));
  }
  // What is above a known term is read from the terminology, whose reviewed cuts the registry's tree lacks.
  if (known.every(({ concept }) => concept !== undefined)) return;
  for (const term of ancestors()) {
    const concept = conceptOf(terminology, term);
    if (concept !== undefined) found(concept, ground(term.term));
  }
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

/**
 * The concepts that attached MeSH terms state, without those that are broader. The registry's own ancestors stand for
 * terms that the terminology lacks.
 */
export function statedMeshConcepts(
  terminology: Terminology,
  terms: readonly MeshTerm[],
  ancestors: readonly MeshTerm[],
): number[] {
  const known = knownTerms(terminology, terms);
  const all = known.every(({ concept }) => concept !== undefined)
    ? known
    : [...known, ...knownTerms(terminology, ancestors)];
  return all.flatMap(({ concept }) => concept ?? []);
}

function knownTerms(terminology: Terminology, terms: readonly MeshTerm[]) {
  return terms.map((term) => ({ term: term.term, concept: conceptOf(terminology, term) }));
}

function conceptOf(terminology: Terminology, { id, term }: MeshTerm): number | undefined {
  return (id === null ? undefined : terminology.numberOf(id)) ?? terminology.numberOfHeading(term);
}
