import type { SourceFile, SourceRow } from '../snapshot/terminology/sources.ts';

/** Reads the two source texts of the bundled names: tab-separated, with a line of column names. */

/** Columns: descriptor, heading, tree numbers. */
export function meshOfText(text: string): SourceFile {
  const rows = linesOf(text).map(([descriptor = '', heading = '', trees]) => ({
    descriptor,
    heading,
    treeNumbers: listed(trees),
    names: [],
  }));
  return {
    statement: {
      id: 'mesh',
      name: 'MeSH, courtesy of the U.S. National Library of Medicine',
      year: '2021',
      licence: 'public domain; not the newest MeSH',
    },
    rows,
  };
}

/**
 * Columns: id, name, exact synonyms, related synonyms, parents, MeSH descriptors. A disease of several descriptors is left
 * out, and so are related synonyms: many of them only stand near the disease.
 */
export function ontologyOfText(text: string): SourceFile {
  const rows = linesOf(text).flatMap(([, name = '', exact, , , descriptors]): SourceRow[] => {
    const [descriptor, other] = listed(descriptors);
    if (descriptor === undefined || other !== undefined) return [];
    return [{ descriptor, heading: '', treeNumbers: [], names: [...new Set([name, ...listed(exact)])] }];
  });
  return {
    statement: {
      id: 'disease-ontology',
      name: 'Human Disease Ontology, disease-ontology.org',
      year: '2016',
      licence: 'CC BY 3.0 at this release',
    },
    rows,
  };
}

function linesOf(text: string): string[][] {
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
}

function listed(text = ''): string[] {
  return text.split('|').filter((item) => item !== '');
}
