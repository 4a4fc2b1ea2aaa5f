import { type Html, html } from '../html.ts';

/** Parts of forms. Forms use GET, so that every state has an address. */

export type Choice = readonly [value: string, words: string];

/** The options of a choice. */
export function options(choices: readonly Choice[], given: string): Html[] {
  return choices.map(
    ([value, words]) => html`<option value="${value}"${value === given && html` selected`}>${words}</option>`,
  );
}

/** The choices, and what was given as one more where it is none of them, so that a reader sees it and can correct it. */
export function withGiven(choices: readonly Choice[], given: string, words: string): readonly Choice[] {
  return given === '' || choices.some(([value]) => value === given) ? choices : [...choices, [given, words]];
}

/** Fields that keep the rest of an address. */
export function hiddenFields(pairs: readonly (readonly [name: string, value: string])[]): Html[] {
  return pairs.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}
