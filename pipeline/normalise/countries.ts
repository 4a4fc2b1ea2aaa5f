import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { distinct } from './values.ts';

const rulesSchema = z.strictObject({
  id: z.string(),
  note: z.string(),
  reviewedOn: z.iso.date(),
  nextReviewOn: z.iso.date(),
  countries: z.array(z.strictObject({ name: z.string(), aliases: z.array(z.string()).min(1) })),
});

/** Names are compared without case, accents, punctuation and a leading article. */
function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
}

function loadRules(): ReadonlyMap<string, string> {
  const path = new URL('../../data/rules/countries.json', import.meta.url);
  const rules = rulesSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const names = new Map<string, string>();
  for (const country of rules.countries) {
    for (const spelling of [country.name, ...country.aliases]) {
      const key = keyOf(spelling);
      const other = names.get(key);
      if (other !== undefined && other !== country.name) {
        throw new Error(`data/rules/countries.json gives "${spelling}" to both ${other} and ${country.name}; keep one`);
      }
      names.set(key, country.name);
    }
  }
  return names;
}

const NAMES = loadRules();
/** Cache: both registries together use a few hundred spellings. */
const seen = new Map<string, string>();
const MAX_SEEN = 10_000;

/** The common name of a country as either registry spells it; a spelling without a rule stays as it is. */
export function countryName(raw: string): string {
  const known = seen.get(raw);
  if (known !== undefined) return known;
  const name = NAMES.get(keyOf(raw)) ?? raw;
  if (seen.size < MAX_SEEN) seen.set(raw, name);
  return name;
}

/** Distinct common names in order of first appearance. */
export function countryNames(raw: string[]): string[] {
  return distinct(raw.map(countryName));
}
