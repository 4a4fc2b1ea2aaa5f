import { ABROAD } from '../../../contract/fields/value-names.ts';
import { type Html, html } from '../html.ts';
import { count, trialsInWords } from '../kit/words.ts';
import { named } from '../words/trials.ts';
import { searchWith } from './search-asked.ts';
import { placeInWords } from './search-list.ts';
import type { MatchMeta } from './search-matching.ts';

/** What a search says of the country and the sites that it asks for. */

/** That registries of the country are not held, as the answer says it. */
export function abroadNote({ notices = [] }: MatchMeta): Html[] {
  return notices.filter((one) => one.startsWith(ABROAD)).map((one) => html`<p class="hint">${one}</p>`);
}

/** How many of the trials have a site of the status in the place, with a link to these alone; nothing where all of them have one. */
export function siteNote({ siteStatus }: MatchMeta, address: URLSearchParams): Html | false {
  if (siteStatus === undefined || siteStatus.trials === 0) return false;
  const { place, statuses, trials, atSite, byTrial, call } = siteStatus;
  const where = placeInWords(place);
  const status = statuses.map((one) => named(one).toLowerCase()).join(' or ');
  const own =
    byTrial > 0 &&
    html` For ${trialsInWords(byTrial)} no site there states a status, so the status of the trial counts.`;
  const link =
    call !== undefined &&
    html` <a href="${searchWith(address, { siteStatus: statuses.join(',') })}">Only these ${trialsInWords(atSite + byTrial)}</a>`;
  return html`<p class="notice" role="note">A status is that of a whole trial. Of ${trialsInWords(trials)}, <strong>${count(atSite)}</strong> ${atSite === 1 ? 'has' : 'have'} a site <bdi>${where}</bdi> that is itself ${status}.${own}${link}</p>`;
}
