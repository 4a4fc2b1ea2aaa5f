import { escapeMarkup } from '../../../contract/markup.ts';
import { Html, html } from '../html.ts';
import { count } from '../kit/words.ts';

/** Trials by the year of their start, as a small picture whose bars are links, and two fields for a span of years. */

export interface StartYear {
  year: number;
  trials: number;
  /** The trials of this year alone. */
  href: string;
  applied: boolean;
}

const WIDTH = 280;
const HEIGHT = 72;
/** The least that a bar shows, so that a year with one trial is seen. */
const LEAST_PX = 2;
/** Years drawn: a registry holds wrong years too, which the list has. */
const DRAWN_YEARS = 40;

/**
 * The bars are for the mouse: on a keyboard some forty stops would stand in the way, and the same links follow as a list.
 */
export function yearBars(years: readonly StartYear[], asOfYear: number): Html | false {
  const last = Math.min(asOfYear, Math.max(...years.map(({ year }) => year)));
  const first = Math.max(last - DRAWN_YEARS + 1, Math.min(...years.map(({ year }) => year)));
  const drawn = years.filter(({ year }) => year >= first && year <= last);
  if (drawn.length < 2) return false;
  const most = Math.max(...drawn.map(({ trials }) => trials));
  const step = WIDTH / (last - first + 1);
  const bars = drawn.map(({ year, trials, href, applied }) => {
    const height = trials === 0 ? 0 : Math.max(LEAST_PX, (trials / most) * HEIGHT);
    const x = ((year - first) * step).toFixed(1);
    const title = `${year}: ${trials === 1 ? '1 trial' : `${count(trials)} trials`}`;
    return `<a href="${escapeMarkup(href)}" tabindex="-1"><title>${title}</title><rect class="reach" x="${x}" y="0" width="${step.toFixed(1)}" height="${HEIGHT}"/><rect class="bar${applied ? ' applied' : ''}" x="${x}" y="${(HEIGHT - height).toFixed(1)}" width="${Math.max(1, step - 1).toFixed(1)}" height="${height.toFixed(1)}"/></a>`;
  });
  return html`<div class="year-bars" aria-hidden="true"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${new Html(bars.join(''))}</svg>
<p><span>${first}</span><span>${last}</span></p></div>`;
}

/** A form of its own: it keeps the rest of the search in hidden fields. */
export function yearFields(address: URLSearchParams): Html {
  const kept = [...address].filter(([name]) => name !== 'startedAfter' && name !== 'startedBefore');
  const field = (name: string, title: string, value: string | undefined): Html =>
    html`<label>${title} <input name="${name}" inputmode="numeric" pattern="\\d{4}" maxlength="4" size="4" value="${value ?? ''}"></label>`;
  return html`<form class="years" action="/trials" method="get" aria-label="Years of start">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${field('startYearFrom', 'From', address.get('startedAfter')?.slice(0, 4))}
${field('startYearTo', 'to', address.get('startedBefore')?.slice(0, 4))}
<button type="submit">Set</button>
</form>`;
}
