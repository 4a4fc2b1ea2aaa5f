/** A reader sees no more marks on one letter than any script puts there; more would cover the lines around it. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** Characters that are not seen or turn a text round; joiners stay, as some scripts are spelled with them. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * The first `max` characters of a text of an agent on one line, for headings, lists and pictures: without what breaks a
 * line, hides or turns it. The text itself stands elsewhere as it was given.
 */
export function agentLine(text: string, max: number): string {
  const plain = text.replaceAll(/\s+/gu, ' ').replaceAll(UNSEEN, '').replaceAll(PILED_MARKS, '$1').trim();
  if (plain === '') return '(nothing that can be seen)';
  // Twice as many UTF-16 units hold at least that many code points.
  const characters = [...plain.slice(0, 2 * max + 2)];
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : plain;
}
