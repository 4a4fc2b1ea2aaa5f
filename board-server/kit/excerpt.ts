/** The first `max` code points of a text, with an ellipsis where more were cut off. */
export function excerpt(text: string, max: number): string {
  // A code point takes at most two UTF-16 units, so this slice holds at least `max` code points.
  const characters = [...text.slice(0, 2 * max + 2)];
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : text;
}
