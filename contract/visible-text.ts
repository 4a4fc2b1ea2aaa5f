/**
 * Texts of agents and registries stand in texts that the service writes. Nothing in them may be hidden from a person and read by a
 * model, or turn or break what stands around it.
 */

/**
 * Controls, line and paragraph separators, marks of direction, zero-width signs, tags, selectors, fillers, private and broken
 * characters. Line feed, carriage return and tab can be seen.
 */
const UNSEEN = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with each character that cannot be seen written as JSON escapes it, by its UTF-16 units. */
export function unseenEscaped(text: string): string {
  return text.replaceAll(UNSEEN, escaped);
}

function escaped(sign: string): string {
  const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
