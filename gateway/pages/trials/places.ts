import { type Html, html } from '../html.ts';
import { counted } from '../kit/counted.ts';
import { joined } from '../kit/words.ts';

/** Addresses of the pages of a sponsor, a condition and a country, and links to them. */

export function sponsorAddress(name: string): string {
  return `/sponsors/${encodeURIComponent(name)}`;
}

export function conditionAddress(name: string): string {
  return `/conditions/${encodeURIComponent(name)}`;
}

export function countryAddress(name: string): string {
  return `/countries/${encodeURIComponent(name)}`;
}

/** Names that are shown before the rest is folded away. */
const NAMES_SHOWN = 8;

/** Names, each linked to its page; many of them are folded away after the first. Null if there is none. */
export function linkedNames(names: readonly string[], address: (name: string) => string): Html | null {
  if (names.length === 0) return null;
  const links = names.map((name) => html`<a href="${address(name)}"><bdi>${name}</bdi></a>`);
  if (names.length <= NAMES_SHOWN + 1) return joined(links);
  return html`${joined(links.slice(0, NAMES_SHOWN))}<details><summary>and ${counted(names.length - NAMES_SHOWN, null)} more</summary>${joined(links.slice(NAMES_SHOWN))}</details>`;
}
