import type { RegistryId } from '../../contract/ids.ts';

/** How to get what this pipeline reads. */
const RIGHT_ONE: Readonly<Record<RegistryId, string>> = {
  clinicaltrials_gov:
    'take its JSON: Download on a result page of clinicaltrials.gov, or `pipeline fetch --registry clinicaltrials_gov`',
  isrctn: 'take its XML: https://www.isrctn.com/api/query/format/default, or `pipeline fetch --registry isrctn`',
};

/** A kind of file that people take for a registry's records, by its beginning behind declarations and comments. */
interface Kind {
  begins: RegExp;
  name: string;
  /** Whose records these are, in a form that is read; the name then says what to do. */
  of?: RegistryId;
}

const KINDS: readonly Kind[] = [
  { begins: /^(?:id\|)?nct_id\|/, name: 'a table of AACT' },
  { begins: /^PGDMP/, name: 'a dump of PostgreSQL, as AACT offers one' },
  {
    begins: /^"?(?:Rank"?[,;\t]"?)?NCT Number"?[,;\t]/,
    name: 'a CSV export of ClinicalTrials.gov, which lacks most fields',
  },
  { begins: /^<(?:clinical_study|search_results)[\s>]/, name: 'the XML that ClinicalTrials.gov made until 2024' },
  {
    // The export holds copies of both registries with few of their fields.
    begins: /^(?:<Trials_downloaded_from_ICTRP[\s>]|"?TrialID"?,|[^\n<{]{0,300}"?Last Refreshed on"?,)/i,
    name: "an export of WHO's ICTRP, which holds copies",
  },
  {
    begins: /^"?ISRCTN"?;/,
    name: 'a CSV of ISRCTN separated by semicolons, as a spreadsheet saves it: send it separated by commas, as the registry exports it',
  },
  {
    begins: /^"?ISRCTN"?\t/,
    name: 'a table of ISRCTN separated by tabs: send it separated by commas, as the registry exports it',
  },
  { begins: /^"?ISRCTN"?,/, name: 'a CSV export of ISRCTN: give it with --isrctn', of: 'isrctn' },
  { begins: /^(?:<!doctype html|<html[\s>])/i, name: 'a web page' },
  { begins: /^<(?:allTrials|fullTrial)[\s>]/, name: 'ISRCTN XML: give it with --isrctn', of: 'isrctn' },
  {
    begins: /^[[{][\s\S]*"protocolSection"\s*:/,
    name: 'ClinicalTrials.gov JSON: give it with --ctgov',
    of: 'clinicaltrials_gov',
  },
];

/** What the file that begins with `head` is, and what to take instead; null for the registry's own and for no known kind. */
export function foreignKind(registry: RegistryId, head: string): string | null {
  const text = head.replace(/^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/, '');
  const kind = KINDS.find(({ begins }) => begins.test(text));
  if (kind === undefined || kind.of === registry) return null;
  return kind.of === undefined ? `${kind.name}; ${RIGHT_ONE[registry]}` : kind.name;
}
