/** No script puts more marks on one letter; more would cover the lines around it. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** Characters that are invisible or change the direction of text; joiners stay, because some scripts need them. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * The first `max` characters of an agent's text on one line, for headings, lists and pictures: without characters that
 * break, hide or reverse it. The whole text is shown elsewhere, unchanged.
 */
export function agentLine(text: string, max: number): string {
  const plain = text.replaceAll(/\s+/gu, ' ').replaceAll(UNSEEN, '').replaceAll(PILED_MARKS, '$1').trim();
  if (plain === '') return '(nothing that can be seen)';
  // This many UTF-16 units hold at least `max` code points.
  const characters = [...plain.slice(0, 2 * max + 2)];
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : plain;
}
