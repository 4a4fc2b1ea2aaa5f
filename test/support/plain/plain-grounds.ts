import type { MatchGroundRecord } from '../../../contract/schemas/trials/matching.ts';
import type { Reading } from '../../../index-server/search/concepts/concept-query.ts';
import type { Registration } from '../../../snapshot/format/registration.ts';
import { textUnits } from '../../../snapshot/format/words/tokens.ts';
import {
  type ConceptGround,
  type StatedConcept,
  statedMeshConcepts,
} from '../../../snapshot/terminology/record-concepts.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import { matchesQuery } from './plain-query.ts';

/**
 * Why a trial of one registration met a part of a query: every text is read, all grounds are collected, the first one of a
 * concept stands. The reference of index-server/search/concepts/matched-by.ts.
 */
export function plainGround(
  terminology: Terminology,
  record: Registration,
  reading: Reading,
  parameter?: 'intervention' | 'condition',
): MatchGroundRecord {
  const plain = { words: reading.words, concept: null, heading: null, source: null };
  if (reading.kind === 'words' || reading.kind === 'phrase') return { ...plain, via: 'words', term: null };
  const texts = textsOf(record);
  const all = [
    ...new Set(Object.values(texts).flat()),
    ...record.interventions.flatMap(({ description }) => description ?? []),
  ];
  const sponsor = record.sponsorName === null ? [] : [record.sponsorName];
  if (reading.kind === 'names') {
    const among = [all, sponsor].find((texts) =>
      [reading.words, ...reading.names.map(({ name }) => name)].some((one) => has(texts, one)),
    );
    const [first] = [reading.words, ...reading.names.map(({ name }) => name)].filter((one) => has(among ?? [], one));
    const name = first === undefined || first === reading.words ? null : first;
    return { ...plain, via: name === null ? 'words' : 'other-name', term: name };
  }
  const { id, heading } = terminology.concepts[reading.concept]!;
  const grounds = parameter === undefined ? meshGrounds(terminology, record) : new Map<number, ConceptGround>();
  for (const text of parameter === undefined ? Object.values(texts).flat() : texts[parameter]) {
    for (const { concept, term, source } of terminology.recognise(textUnits(text), text)) {
      for (const one of [concept, ...terminology.broaderOf(concept)]) add(grounds, one, { via: source, term });
    }
  }
  const ground = grounds.get(reading.concept) ?? { via: 'sponsor' as const, term: null };
  return { words: reading.words, concept: id, heading, source: reading.source, via: ground.via, term: ground.term };
}

function textsOf(record: Registration): Record<'title' | 'condition' | 'intervention' | 'elsewhere', string[]> {
  const given = (texts: readonly (string | null)[]): string[] => texts.filter((text) => text !== null);
  return {
    title: given([record.title, record.acronym]),
    condition: record.conditions,
    intervention: given(record.interventions.flatMap(({ name, otherNames }) => [name, ...otherNames])),
    elsewhere: given([record.officialTitle, ...record.keywords]),
  };
}

function meshGrounds(terminology: Terminology, record: Registration): Map<number, ConceptGround> {
  const grounds = new Map<number, ConceptGround>();
  const stated: StatedConcept[] = [];
  for (const [terms, ancestors] of [
    [record.conditionMesh, record.conditionMeshAncestors],
    [record.interventionMesh, record.interventionMeshAncestors],
  ] as const) {
    stated.push(...statedMeshConcepts(terminology, terms, ancestors));
  }
  for (const { concept, ground } of stated) add(grounds, concept, ground);
  for (const { concept, ground } of stated) {
    for (const broader of terminology.broaderOf(concept)) {
      add(grounds, broader, { via: 'registry-mesh-ancestor', term: ground.term });
    }
  }
  return grounds;
}

function add(grounds: Map<number, ConceptGround>, concept: number, ground: ConceptGround): void {
  if (!grounds.has(concept)) grounds.set(concept, ground);
}

function has(texts: readonly string[], words: string): boolean {
  const asked = textUnits(words);
  return matchesQuery(asked.length === 1 ? asked : [{ kind: 'phrase', units: asked }], texts);
}
