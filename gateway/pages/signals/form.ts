import { getMind } from '../../../contract/operations/signals.ts';
import { pageOf } from '../../../contract/pages.ts';
import { jsonSchemaOf } from '../../../contract/parameters.ts';
import { type Html, html } from '../html.ts';
import type { FailedRead } from '../reads.ts';

/** The request in the address, as typed; undefined if absent. */
export interface Asked {
  days: string | undefined;
  disease: string | undefined;
  /** Page of the research items. */
  cursor: string | undefined;
}

export function askedFor(query: URLSearchParams): Asked {
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  return { days: given('days'), disease: given('disease'), cursor: given('cursor') };
}

/** The parameters of the signals as a form, with each refusal at its field. */
export function signalForm({ days, disease, cursor }: Asked, refused: readonly FailedRead[]): Html {
  const { minimum, maximum, default: fallback } = jsonSchemaOf(getMind.query.days) as Record<string, number>;
  const { maxLength } = jsonSchemaOf(getMind.query.disease) as Record<string, number>;
  const faults = new Map(refused.map(({ error }) => [error.parameter ?? '', error.message]));
  const [elsewhere] = [...faults].filter(([name]) => name !== 'days' && name !== 'disease');
  return html`${elsewhere && html`<p class="fault" role="alert">${elsewhere[1]}${cursor !== undefined && ' Begin with the first page of the list.'}</p>`}
<form class="fields" action="${pageOf('page-signals').path}" method="get" aria-label="Signals">
<div><label for="days">Days</label>
<input id="days" name="days" inputmode="numeric" value="${days ?? fallback}"${described('days', faults)}>
<p class="bounds" id="days-bounds">Window of the four capitals: ${minimum} to ${maximum}, ending with the day of the snapshot</p>
${fault('days', faults)}</div>
<div><label for="disease">Keyword</label>
<input id="disease" name="disease" type="search" maxlength="${maxLength}" value="${disease}"${described('disease', faults)}>
<p class="bounds" id="disease-bounds">Items and trials that hold every word of it; empty for all</p>
${fault('disease', faults)}</div>
<div><button type="submit">Show</button></div>
</form>`;
}

function described(name: string, faults: ReadonlyMap<string, string>): Html {
  return faults.has(name)
    ? html` aria-invalid="true" aria-describedby="${name}-fault ${name}-bounds"`
    : html` aria-describedby="${name}-bounds"`;
}

function fault(name: string, faults: ReadonlyMap<string, string>): Html | false {
  return faults.has(name) && html`<p class="fault" id="${name}-fault">${faults.get(name)}</p>`;
}
