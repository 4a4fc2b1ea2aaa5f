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

interface Field {
  id: string;
  /** The parameter of the address; default the id. */
  name?: string;
  label: string;
  /** What it takes, where its label does not say it all. */
  hint?: Html | string | undefined;
  /** What was wrong with what was given, a line each. */
  faults?: readonly (Html | string)[];
}

/** A field with its label, its hint and what is wrong with it; `control` puts the state into its element. */
export function field({ id, name = id, label, hint = '', faults = [] }: Field, control: (state: Html) => Html): Html {
  const isFaulty = faults.length > 0;
  const described = [...(hint === '' ? [] : [`${id}-hint`]), ...(isFaulty ? [`${id}-fault`] : [])];
  const state = html` id="${id}" name="${name}"${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}${isFaulty && html` aria-invalid="true"`}`;
  return html`<div><label for="${id}">${label}</label>
${control(state)}
${hint !== '' && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${isFaulty && html`<div id="${id}-fault">${faults.map((fault) => html`<p class="fault">${fault}</p>`)}</div>`}</div>
`;
}
