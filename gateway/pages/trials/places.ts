import { type Html, html } from '../html.ts';
import { counted } from '../kit/parts.ts';
import { joined } from '../kit/words.ts';

/** Names that are shown before the rest is folded away. */
const NAMES_SHOWN = 8;

/** Names, each linked to its page; many of them are folded away after the first. Null if there is none. */
export function linkedNames(names: readonly string[], address: (name: string) => string): Html | null {
  if (names.length === 0) return null;
  const links = names.map((name) => html`<a href="${address(name)}"><bdi>${name}</bdi></a>`);
  if (names.length <= NAMES_SHOWN + 1) return joined(links);
  return html`${joined(links.slice(0, NAMES_SHOWN))}<details><summary>and ${counted(names.length - NAMES_SHOWN, null)} more</summary>${joined(links.slice(NAMES_SHOWN))}</details>`;
}
