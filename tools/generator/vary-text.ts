import type { Random } from './random.ts';

/** Changes of a record's text that both registries share. */

const DAY_MS = 86_400_000;
/** Codes and numbers that tell records apart: substance codes, grant and protocol numbers, sites, PubMed ids. */
const NUMBERS =
  /(?<=\b(?:[A-Z]{3}-|PRT-|R01HL9|GR-|CPMS: |Invented Site |"zip":"|pubmed\.ncbi\.nlm\.nih\.gov\/99|"pmid":"99))\d{2,7}/g;
const DATES = /\b(?:19|20)\d{2}-\d{2}-\d{2}\b/g;

/** Other digits in the place of the template's; a number that the record states twice stays the same number. */
export function renumbered(text: string, random: Random): string {
  const drawn = new Map<string, string>();
  return text.replace(NUMBERS, (digits) => {
    const other = drawn.get(digits) ?? random.digits(digits.length);
    drawn.set(digits, other);
    return other;
  });
}

/** Every whole date of the text some days earlier, so that the record's dates keep their order. */
export function shifted(text: string, days: number): string {
  return text.replace(DATES, (date) => addDays(date, -days));
}

/** YYYY-MM-DD */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Sentences of about so many characters in all, four to a paragraph. */
export function prose(sentences: readonly string[], characters: number, random: Random): string {
  let text = '';
  for (let place = random.below(sentences.length), count = 0; text.length < characters; place++, count++) {
    const gap = count % 4 === 0 ? '\n\n' : ' ';
    text += gap + sentences[place % sentences.length];
  }
  return text;
}
