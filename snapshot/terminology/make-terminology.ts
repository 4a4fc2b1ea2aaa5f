import { readFile } from 'node:fs/promises';
import { ancestorsOf, type Filing, fileUnder } from './broader.ts';
import { phrasesOf, type RankedName, resolvePhrases } from './phrases.ts';
import {
  type ReviewedName,
  type ReviewedTable,
  readSourceFile,
  type SourceFile,
  type SourceStatement,
  type TermSource,
} from './sources.ts';
import { TERMINOLOGY_FORMAT, type TerminologyFile } from './terminology.ts';

/** Makes the terminology of MeSH, the Disease Ontology and the reviewed table, which wins over both. */

export const BUNDLED_FILES = { mesh: 'mesh.json.gz', ontology: 'disease-ontology.json.gz' } as const;
export const BUNDLED_FOLDER = new URL('../../data/terminology/', import.meta.url);
const REVIEWED_TABLE = new URL('../../data/rules/synonyms.json', import.meta.url);

let bundled: Promise<Uint8Array> | undefined;

/** Made once in a process, because it takes most of a second and the files do not change. Callers share the bytes. */
export function bundledTerminology(): Promise<Uint8Array> {
  bundled ??= readFile(new URL(BUNDLED_FILES.mesh, BUNDLED_FOLDER)).then(terminologyWith);
  return bundled;
}

/** The terminology with another file of MeSH names than the bundled one. */
export async function terminologyWith(mesh: Uint8Array): Promise<Uint8Array> {
  const ontology = await readFile(new URL(BUNDLED_FILES.ontology, BUNDLED_FOLDER));
  const reviewed = JSON.parse(await readFile(REVIEWED_TABLE, 'utf8')) as ReviewedTable;
  return makeTerminology({ mesh: readSourceFile(mesh), ontology: readSourceFile(ontology), reviewed });
}

interface Sources {
  mesh: SourceFile;
  ontology: SourceFile;
  reviewed: ReviewedTable;
}

interface NewConcept {
  id: string;
  heading: string;
}

const SOURCE_ORDER: readonly TermSource[] = ['mesh', 'disease-ontology', 'reviewed'];
const RANK = { reviewed: 0, heading: 1, meshName: 2, ontology: 3 } as const;

/** The file of the terminology. Equal sources give equal bytes. */
export function makeTerminology({ mesh, ontology, reviewed }: Sources): Uint8Array {
  const concepts: NewConcept[] = mesh.rows.map(({ descriptor, heading }) => ({ id: descriptor, heading }));
  const placeOf = new Map(concepts.map(({ id }, place) => [id, place]));
  const { names, filings } = readReviewed(reviewed, concepts, placeOf);
  names.push(...sourceNames(mesh, placeOf, reviewed), ...sourceNames(ontology, placeOf, reviewed));
  const ordinary = new Set(reviewed.ordinaryWords.flatMap(({ heading }) => phrasesOf(heading)));
  const won = resolvePhrases(names, ordinary, reviewed.sameWords);
  const phrasesOfName = Map.groupBy(won.keys(), (phrase) => won.get(phrase)!);
  const namesOfConcept = Map.groupBy(phrasesOfName.keys(), ({ concept }) => concept);

  const placeOfHeading = new Map(concepts.map(({ heading }, place) => [heading, place]));
  /** A heading that an operator's MeSH file lacks is passed over. */
  const placesOf = (headings: readonly string[]): number[] =>
    headings.flatMap((heading) => placeOfHeading.get(heading) ?? []);
  const cuts = reviewed.cuts.flatMap(({ parent, without }) =>
    placesOf([parent]).map((place) => ({ parent: place, without: placesOf(without) })),
  );
  const kinds = reviewed.kinds.flatMap(({ parent, of }) =>
    placesOf([parent]).map((place) => ({ parent: place, of: placesOf(of) })),
  );
  const broader = ancestorsOf(mesh.rows, cuts);
  while (broader.length < concepts.length) broader.push([]);
  fileUnder(broader, [...kinds, ...filings]);
  const file: TerminologyFile = {
    format: TERMINOLOGY_FORMAT,
    sources: statementsOf({ mesh, ontology, reviewed }, [...phrasesOfName.keys()]),
    ambiguous: Object.fromEntries(
      reviewed.leftOut.flatMap(({ term, means = [] }) => (means.length === 0 ? [] : [[term, means]])),
    ),
    related: reviewed.related.map(({ of }) => placesOf(of)).filter(({ length }) => length > 1),
    cuts,
    concepts: concepts.map(({ id, heading }, place) => ({
      ...{ id, heading, broader: broader[place]! },
      names: (namesOfConcept.get(place) ?? [])
        .sort((a, b) => SOURCE_ORDER.indexOf(a.source) - SOURCE_ORDER.indexOf(b.source))
        .map((name) => ({
          ...{ term: name.term, source: name.source, caseSensitive: name.caseSensitive },
          phrases: phrasesOfName.get(name)!,
        })),
    })),
  };
  return Buffer.from(JSON.stringify(file));
}

/**
 * The table's names and what it files under its entries. An entry whose heading MeSH lacks, and each narrower one of an entry,
 * is added to the concepts.
 */
function readReviewed(
  reviewed: ReviewedTable,
  concepts: NewConcept[],
  placeOf: ReadonlyMap<string, number>,
): { names: RankedName[]; filings: Filing[] } {
  const placeOfHeading = new Map(concepts.map(({ heading }, place) => [heading.toLowerCase(), place]));
  const names: RankedName[] = [];
  const add = ({ heading, terms, caseSensitive = [] }: ReviewedName, mesh: string | null): number => {
    const known = (mesh === null ? undefined : placeOf.get(mesh)) ?? placeOfHeading.get(heading.toLowerCase());
    const concept = known ?? concepts.push({ id: ownId(heading), heading }) - 1;
    const name = { concept, source: 'reviewed' as const, rank: RANK.reviewed };
    const own = known === undefined ? [heading] : [];
    for (const term of [...own, ...terms]) names.push({ ...name, term, caseSensitive: false });
    for (const term of caseSensitive) names.push({ ...name, term, caseSensitive: true });
    return concept;
  };
  const filings = reviewed.entries.map((entry): Filing => {
    const parent = add(entry, entry.mesh);
    return { parent, of: (entry.narrower ?? []).map((one) => add(one, null)) };
  });
  return { names, filings: filings.filter(({ of }) => of.length > 0) };
}

function ownId(heading: string): string {
  const slug = heading.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `R:${slug.replace(/^-|-$/g, '')}`;
}

function sourceNames(
  { statement, rows }: SourceFile,
  placeOf: ReadonlyMap<string, number>,
  reviewed: ReviewedTable,
): RankedName[] {
  const leftOut = new Set(reviewed.leftOut.flatMap(({ term }) => phrasesOf(term)));
  const source = statement.id;
  const rank = source === 'mesh' ? RANK.meshName : RANK.ontology;
  return rows.flatMap(({ descriptor, heading, names }): RankedName[] => {
    const concept = placeOf.get(descriptor);
    if (concept === undefined) return [];
    const others = names
      .filter((term) => isUsable(term) && !phrasesOf(term).some((phrase) => leftOut.has(phrase)))
      .map((term) => ({ concept, term, source, caseSensitive: isAbbreviation(term), rank }));
    if (heading === '') return others;
    return [{ concept, term: heading, source, caseSensitive: false, rank: RANK.heading }, ...others];
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

function statementsOf(
  { mesh, ontology, reviewed }: Sources,
  names: readonly { source: TermSource }[],
): SourceStatement[] {
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
