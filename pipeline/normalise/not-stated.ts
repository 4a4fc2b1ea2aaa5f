import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The one reading of texts that say only that there is nothing to say: data/rules/not-stated.json. */

const rulesSchema = z.strictObject({
  id: z.string(),
  note: z.string(),
  reviewedOn: z.iso.date(),
  nextReviewOn: z.iso.date(),
  texts: z.array(z.strictObject({ text: z.string(), seen: z.int().min(0) })),
  titles: z.array(z.string()),
});

const file = new URL('../../data/rules/not-stated.json', import.meta.url);
const rules = rulesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Case, white space, brackets around it and a full stop at the end do not matter. */
function keyOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[[(<]\s*([^[\](){}<>]*?)\s*[\])>]$/, '$1')
    .replace(/(?<=.)\.$/, '');
}

const NUMBER_TITLES = rules.titles.map(keyOf);

const TEXTS = rules.texts
  .map(({ text }) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+'))
  .join('|');
/** Equal to a look-up of `keyOf`, which takes five times as long for the texts that are none. */
const FILLER = new RegExp(`^\\s*(?:(?:${TEXTS})\\.?|[[(<]\\s*(?:${TEXTS})\\.?\\s*[\\])>])\\s*$`, 'i');

/** True for texts that only fill a field (`Not Specified`, `N/A`). */
export function isFiller(text: string): boolean {
  return FILLER.test(text);
}

/** The text, or null when it is a filler. */
export function withoutFiller(text: string | null): string | null {
  return text === null || isFiller(text) ? null : text;
}

/** The title, or null when it is a filler or says only which record it is: `number` are the digits of its id. */
export function statedTitle(title: string | null, number: string): string | null {
  const text = withoutFiller(title);
  if (text === null) return null;
  const key = keyOf(text);
  return NUMBER_TITLES.some((form) => form.replace('{number}', number) === key) ? null : text;
}
