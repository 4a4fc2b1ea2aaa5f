import { readFileSync } from 'node:fs';

/**
 * A name as it is compared: names that differ only in case, width, repeated blanks, characters that cannot be seen or characters
 * that look alike (UTS 39) are one agent, so that nobody confirms himself by them.
 *
 * Looking alike and differing in case are two relations: Cyrillic В looks like B, в does not look like b. A name that
 * can be read as ASCII as it stands is compared as that; every other name loses its case first.
 */
export function agentKeyOf(agentName: string): string {
  const seen = agentName.normalize('NFKC').replace(UNSEEN, '');
  const asAscii = skeleton(seen);
  const folded = caseFolded(ASCII_ONLY.test(asAscii) ? asAscii : seen);
  return caseFolded(skeleton(folded)).replace(/\s+/gu, ' ').trim();
}

/** Controls of format and direction, tags, joiners, variation selectors and fillers; blanks are not among them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const ASCII_ONLY = /^[\s\x20-\x7e]*$/u;

/** Upper case first, so that ß and SS, ς and σ are one. */
function caseFolded(text: string): string {
  return text.toUpperCase().toLowerCase();
}

function skeleton(text: string): string {
  const mapped = Array.from(text.normalize('NFD'), (character) => PROTOTYPES.get(character) ?? character).join('');
  return mapped.normalize('NFD');
}

const PROTOTYPES = readPrototypes();

/** Each character with the one that stands for all that look like it. */
function readPrototypes(): ReadonlyMap<string, string> {
  const path = new URL('../../data/rules/confusables.json', import.meta.url);
  const { lookalikes } = JSON.parse(readFileSync(path, 'utf8')) as { lookalikes: string[] };
  const textOf = (hex: string): string[] =>
    hex.split(' ').map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
  return new Map(
    lookalikes.flatMap((line) => {
      const [prototype = '', characters = ''] = line.split(' < ');
      return textOf(characters).map((character) => [character, textOf(prototype).join('')] as const);
    }),
  );
}
