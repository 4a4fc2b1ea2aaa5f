/** The first `max` code points of a text, with an ellipsis where more were cut off. */
export function excerpt(text: string, max: number): string {
  // Twice as many UTF-16 units hold at least that many code points.
  const characters = [...text.slice(0, 2 * max + 2)];
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : text;
}
