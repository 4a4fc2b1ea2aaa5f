import { makeTerminology } from '../../snapshot/terminology/make-terminology.ts';
import type { ReviewedTable } from '../../snapshot/terminology/sources.ts';

export interface SmallConcept {
  id: string;
  heading: string;
  terms?: string[];
  /** Names that count in exactly this case. */
  caseSensitive?: string[];
  /** Ids of the concepts right above it. */
  broader?: string[];
}

/** The terminology file of these concepts; a broader one stands before those below it. */
export function smallTerminology(
  concepts: readonly SmallConcept[],
  { leftOut = [], related = [] }: Partial<Pick<ReviewedTable, 'leftOut' | 'related'>> = {},
): Uint8Array {
  const numbers = new Map<string, string>();
  concepts.forEach(({ id, broader: [above] = [] }, place) => {
    const own = String(place + 1).padStart(3, '0');
    numbers.set(id, above === undefined ? `C${own}` : `${numbers.get(above)}.${own}`);
  });
  const rows = concepts.map(({ id, heading, terms = [] }) => ({
    descriptor: id,
    heading,
    treeNumbers: [numbers.get(id) as string],
    names: terms,
  }));
  const statement = (id: 'mesh' | 'disease-ontology') => ({ id, name: `Small ${id}`, year: '2021', licence: 'none' });
  return makeTerminology({
    mesh: { statement: statement('mesh'), rows: rows.map((row) => ({ ...row, names: [] })) },
    ontology: { statement: statement('disease-ontology'), rows: [] },
    reviewed: {
      id: 'small-1',
      reviewedOn: '2026-11-23',
      entries: concepts.map(({ id, heading, terms = [], caseSensitive = [] }) => ({
        ...{ mesh: id, heading, terms, caseSensitive },
      })),
      leftOut,
      ordinaryWords: [],
      cuts: [],
      kinds: [],
      related,
      sameWords: [],
    },
  });
}
