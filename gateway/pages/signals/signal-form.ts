import { type PageId, pageOf } from '../../../contract/interfaces/pages.ts';
import { getMind } from '../../../contract/operations/trials/signals.ts';
import { jsonSchemaOf } from '../../../contract/parameters.ts';
import { type Html, html } from '../html.ts';
import { field } from '../kit/form.ts';
import { FailedRead } from '../reads.ts';

const { minimum, maximum, default: usualDays } = jsonSchemaOf(getMind.query.days) as Record<string, number>;
const { maxLength } = jsonSchemaOf(getMind.query.disease) as Record<string, number>;

interface Field {
  name: 'days' | 'disease';
  title: string;
  hint: string;
  control: (state: Html, value: string | undefined) => Html;
}

export const DAYS_FIELD: Field = {
  name: 'days',
  title: 'Days',
  hint: `From ${minimum} to ${maximum}, ending with the day of the snapshot`,
  control: (state, value = String(usualDays)) => html`<input${state} inputmode="numeric" value="${value}">`,
};
export const KEYWORD_FIELD: Field = {
  name: 'disease',
  title: 'Keyword',
  hint: 'What contains every word; empty for all',
  control: (state, value) => html`<input${state} type="search" maxlength="${maxLength}" value="${value}">`,
};

type Given<Name extends string> = Readonly<Record<Name, string | undefined>>;

/** The request in the address, as typed; undefined if absent. */
export function givenFor<Name extends string>(query: URLSearchParams, names: readonly Name[]): Given<Name> {
  return Object.fromEntries(names.map((name) => [name, query.get(name)?.trim() || undefined])) as Given<Name>;
}

/** The answers that refuse a value of the address. */
export function refusalsOf(answers: readonly unknown[]): FailedRead[] {
  return answers.filter((answer): answer is FailedRead => answer instanceof FailedRead && answer.status === 400);
}

/** The parameters of a page as a form, with each refusal at its field; a refusal of a parameter without one stands above. */
export function signalForm(
  page: PageId,
  fields: readonly Field[],
  given: Partial<Record<string, string>>,
  refused: readonly FailedRead[],
): Html {
  const faults = new Map(refused.map(({ error }) => [error.parameter ?? '', error.message]));
  const [elsewhere] = [...faults].filter(([name]) => !fields.some((one) => one.name === name));
  return html`${elsewhere && html`<p class="fault" role="alert">${elsewhere[1]} <a href="${pageOf(page).path}">Begin with the first page of the list</a>.</p>`}
<form class="fields" action="${pageOf(page).path}" method="get" aria-label="${pageOf(page).title}">
${fields.map(({ name, title, hint, control }) =>
  field({ id: name, label: title, hint, faults: [faults.get(name) ?? []].flat() }, (state) =>
    control(state, given[name]),
  ),
)}<div><button type="submit">Show</button></div>
</form>`;
}

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
