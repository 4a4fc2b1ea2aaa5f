import { type Html, html } from '../html.ts';

/** A ratio such as 0.25 as `up by 25.0 %`; says so if it is unknown. */
export function changeWords(change: number | null): string {
  if (change === null) return 'cannot be told: nothing before to compare with';
  if (change === 0) return 'unchanged';
  return `${change > 0 ? 'up' : 'down'} by ${(Math.abs(change) * 100).toFixed(1)} %`;
}

/** A share from 0 to 1 as per cent. */
export function shareWords(share: number | null): string {
  return share === null ? 'not known' : `${(share * 100).toFixed(1)} %`;
}

/** A number from 0 to 1 that is not a share. */
export function indexWords(value: number | null, why: string): string {
  return value === null ? `not known: ${why}` : value.toFixed(2);
}

/** How to read an answer, in its own words; a note that names a call is for programs. */
export function honestyNotes(all: readonly string[]): Html | false {
  const notes = all.filter((note) => !note.includes('/api/'));
  return notes.length > 0 && html`<ul class="soft">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
}
