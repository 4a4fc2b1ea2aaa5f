/** A text cut where a sentence or a word ends, with how much of it is missing; whole where it is hardly longer. */
export function cutText(text: string, most: number): string {
  if (text.length <= most + NOT_WORTH_CUTTING) return text;
  const head = text.slice(0, most).toWellFormed();
  const sentence = Math.max(...SENTENCE_ENDS.map((end) => head.lastIndexOf(end)));
  const word = head.lastIndexOf(' ');
  const at = sentence > most * SENTENCE_FROM ? sentence + 1 : word > most * WORD_FROM ? word : most;
  const kept = head.slice(0, at).trimEnd();
  return `${kept} … (+${text.length - kept.length} characters)`;
}

const SENTENCE_ENDS = ['. ', '? ', '! ', '.\n'];
/** The note on what is missing has about as many characters. */
const NOT_WORTH_CUTTING = 24;
/** A sentence that ends before this share of the room would waste the rest; a word likewise. */
const SENTENCE_FROM = 0.6;
const WORD_FROM = 0.5;

/** A name or title in a list, cut at a word; its mark is one sign, since the record has the rest. */
export function cutName(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - 1).toWellFormed();
  const word = head.lastIndexOf(' ');
  return `${(word > most * WORD_FROM ? head.slice(0, word) : head).trimEnd()}…`;
}
