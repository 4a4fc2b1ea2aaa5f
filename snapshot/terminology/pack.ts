import { tokensOfName } from './fold.ts';
import { addKinds, type Filed } from './kinds.ts';
import { CASE_SENSITIVE, type Hints, NONE, type Parts, writeParts } from './layout.ts';
import { type Name, type RankedName, resolvePhrases } from './phrases.ts';
import type { NarrowerName, ReviewedTable } from './reviewed-table.ts';
import type { SourceFile, SourceStatement, TermSource } from './source-file.ts';
import { ancestorsOf } from './tree.ts';

/** Makes the packed terminology of MeSH, the Disease Ontology and the reviewed table, which wins over both. */

interface Sources {
  mesh: SourceFile;
  ontology: SourceFile;
  reviewed: ReviewedTable;
}

interface PackedConcept {
  id: string;
  heading: string;
}

const SOURCE_ORDER: readonly TermSource[] = ['mesh', 'disease-ontology', 'reviewed'];
const RANK = { reviewed: 0, heading: 1, meshName: 2, ontology: 3 } as const;

export function packTerminology({ mesh, ontology, reviewed }: Sources): Uint8Array {
  const concepts: PackedConcept[] = mesh.rows.map(({ descriptor, heading }) => ({ id: descriptor, heading }));
  const placeOf = new Map(concepts.map(({ id }, place) => [id, place]));
  const { names: ownNames, filed } = reviewedNames(reviewed, concepts, placeOf);
  const names = [...ownNames, ...sourceNames(mesh, placeOf, reviewed)];
  names.push(...sourceNames(ontology, placeOf, reviewed));
  const ordinary = new Set(reviewed.ordinaryWords.flatMap(({ heading }) => tokensOfName(heading)).map(phraseOf));
  const phrases = resolvePhrases(names, ordinary, reviewed.sameWords);
  const kept = [...new Set(phrases.values())].sort(byConcept);
  const broader = concepts.map((): number[] => []);
  for (const [place, ancestors] of ancestorsOf(mesh.rows, reviewed.cuts).entries()) broader[place] = ancestors;
  addKinds(broader, concepts, reviewed.kinds, filed);
  return writeParts(statementsOf({ mesh, ontology, reviewed }, kept), hintsOf(reviewed, concepts), {
    concepts: Buffer.from(concepts.map(({ id, heading }) => `${id}\t${heading}`).join('\n')),
    broaderStart: startsOf(broader.map((list) => list.length)),
    broader: Uint32Array.from(broader.flat()),
    ...nameParts(kept, concepts.length),
    ...phraseTree(phrases, kept),
  });
}

/** A heading that an operator's MeSH file lacks is passed over. */
function hintsOf({ leftOut, related, cuts }: ReviewedTable, concepts: readonly PackedConcept[]): Hints {
  const placeOf = new Map(concepts.map(({ heading }, place) => [heading, place]));
  const cutPlaces = cuts.flatMap(({ parent, without }) => {
    const place = placeOf.get(parent);
    return place === undefined
      ? []
      : [{ parent: place, without: without.flatMap((heading) => placeOf.get(heading) ?? []) }];
  });
  const ambiguous = leftOut.flatMap(({ term, means = [] }) => (means.length === 0 ? [] : [[term, means] as const]));
  const places = related.map(({ of }) => of.flatMap((heading) => placeOf.get(heading) ?? []));
  return {
    ambiguous: Object.fromEntries(ambiguous),
    related: places.filter(({ length }) => length > 1),
    cuts: cutPlaces,
  };
}

interface ReviewedNames {
  names: RankedName[];
  filed: Filed[];
}

/** The table's names; an entry whose heading MeSH lacks, and each narrower one of an entry, becomes a concept of its own. */
function reviewedNames(
  reviewed: ReviewedTable,
  concepts: PackedConcept[],
  placeOf: ReadonlyMap<string, number>,
): ReviewedNames {
  const placeOfHeading = new Map(concepts.map(({ heading }, place) => [heading.toLowerCase(), place]));
  const found: ReviewedNames = { names: [], filed: [] };
  const add = ({ heading, terms, caseSensitive = [] }: NarrowerName, mesh: string | null): number => {
    let concept = (mesh === null ? undefined : placeOf.get(mesh)) ?? placeOfHeading.get(heading.toLowerCase());
    const own = concept === undefined ? [heading] : [];
    if (concept === undefined) concept = concepts.push({ id: slugOf(heading), heading }) - 1;
    const name = { concept, source: 'reviewed' as const, rank: RANK.reviewed };
    found.names.push(
      ...[...own, ...terms].map((term) => ({ ...name, term, caseSensitive: false })),
      ...caseSensitive.map((term) => ({ ...name, term, caseSensitive: true })),
    );
    return concept;
  };
  for (const entry of reviewed.entries) {
    const above = add(entry, entry.mesh);
    const below = new Set((entry.narrower ?? []).map((one) => add(one, null)));
    if (below.size > 0) found.filed.push({ above, below });
  }
  return found;
}

function slugOf(heading: string): string {
  return `R:${heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`;
}

function sourceNames(
  { statement, rows }: SourceFile,
  placeOf: ReadonlyMap<string, number>,
  reviewed: ReviewedTable,
): RankedName[] {
  const leftOut = new Set(reviewed.leftOut.flatMap(({ term }) => tokensOfName(term)).map(phraseOf));
  const source = statement.id;
  return rows.flatMap(({ descriptor, heading, names }) => {
    const concept = placeOf.get(descriptor);
    if (concept === undefined) return [];
    const headings =
      heading === '' ? [] : [{ concept, term: heading, source, caseSensitive: false, rank: RANK.heading }];
    const rank = source === 'mesh' ? RANK.meshName : RANK.ontology;
    const others = names
      .filter(
        (term) =>
          isUsable(term) &&
          !tokensOfName(term)
            .map(phraseOf)
            .some((phrase) => leftOut.has(phrase)),
      )
      .map((term) => ({ concept, term, source, caseSensitive: isAbbreviation(term), rank }));
    return [...headings, ...others];
  });
}

/** Abbreviations of up to three letters (AID, ER, MS) mean too many things; so do names with remarks in brackets. */
function isUsable(term: string): boolean {
  return !/[()[\]{}]/.test(term) && (term.length > 3 || /\s/.test(term));
}

/** One word with at least two capitals or digits and few small letters: COPD, GvHD, AIDS. */
function isAbbreviation(term: string): boolean {
  return !/\s/.test(term) && /[A-Z].*[A-Z0-9]/.test(term) && !/[a-z]{3}/.test(term);
}

function phraseOf(tokens: readonly string[]): string {
  return tokens.join(' ');
}

function byConcept(a: Name, b: Name): number {
  if (a.concept !== b.concept) return a.concept - b.concept;
  return SOURCE_ORDER.indexOf(a.source) - SOURCE_ORDER.indexOf(b.source);
}

function statementsOf({ mesh, ontology, reviewed }: Sources, names: readonly Name[]): SourceStatement[] {
  const table = {
    id: 'reviewed' as const,
    name: `Reviewed table of synonyms (${reviewed.id})`,
    year: reviewed.reviewedOn.slice(0, 4),
    licence: 'part of this project',
  };
  return [mesh.statement, ontology.statement, table].map((statement) => ({
    ...statement,
    terms: names.filter(({ source }) => source === statement.id).length,
  }));
}

function nameParts(names: readonly Name[], concepts: number) {
  const texts = names.map(({ term }) => Buffer.from(term));
  const perConcept = new Array<number>(concepts).fill(0);
  for (const { concept } of names) perConcept[concept]! += 1;
  return {
    terms: Buffer.concat(texts),
    termStart: startsOf(texts.map((text) => text.length)),
    conceptNames: startsOf(perConcept),
    nameConcept: Uint32Array.from(names, ({ concept }) => concept),
    nameFlags: Uint8Array.from(
      names,
      ({ source, caseSensitive }) => SOURCE_ORDER.indexOf(source) | (caseSensitive ? CASE_SENSITIVE : 0),
    ),
  } satisfies Partial<Parts>;
}

/** Where each list begins when lists of these lengths follow each other, and where the last one ends. */
function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [index, length] of lengths.entries()) starts[index + 1] = starts[index]! + length;
  return starts;
}

interface Branch {
  token: number;
  name: number;
  /** Null until the first one is added: most branches stay without any. */
  children: Map<number, Branch> | null;
}

function phraseTree(phrases: ReadonlyMap<string, Name>, names: readonly Name[]) {
  const words = [...new Set([...phrases.keys()].flatMap((phrase) => phrase.split(' ')))].sort();
  const tokenOf = new Map(words.map((word, token) => [word, token]));
  const nameAt = new Map(names.map((name, place) => [name, place]));
  const root: Branch = { token: NONE, name: NONE, children: null };
  for (const [phrase, name] of phrases) {
    let branch = root;
    for (const word of phrase.split(' ')) branch = childOf(branch, tokenOf.get(word)!);
    branch.name = nameAt.get(name)!;
  }
  // Breadth first, so that the children of one node are neighbours.
  const nodes = [root];
  for (const { children } of nodes) {
    if (children !== null) nodes.push(...[...children.values()].sort((a, b) => a.token - b.token));
  }
  const ends = startsOf(nodes.map(({ children }) => children?.size ?? 0));
  return {
    vocabulary: Buffer.from(words.join('\n')),
    // The root is node 0, so the first child of all is node 1.
    childStart: ends.map((end) => end + 1),
    nodeToken: Uint32Array.from(nodes, ({ token }) => token),
    nodeName: Uint32Array.from(nodes, ({ name }) => name),
  } satisfies Partial<Parts>;
}

function childOf(branch: Branch, token: number): Branch {
  branch.children ??= new Map();
  const known = branch.children.get(token);
  if (known) return known;
  const child: Branch = { token, name: NONE, children: null };
  branch.children.set(token, child);
  return child;
}
