import type { TrialListItem } from '../../../contract/schemas/trial.ts';
import { type Html, html } from '../html.ts';
import { count, pager } from '../parts.ts';
import type { Pagination } from '../reads.ts';
import { cut, firstOf, named, outside, REGISTRY_NAMES, registryDate, trialAddress } from './words.ts';

const TITLE_MAX_CHARACTERS = 300;
const TERMS_SHOWN = 4;

/** The trials of one page, newest update first. */
export function trialList(trials: readonly TrialListItem[]): Html {
  return html`<ol class="cards">${trials.map(listed)}</ol>`;
}

function listed(trial: TrialListItem): Html {
  const { canonicalId, dates, enrollment, sponsor, conflicts } = trial;
  const title = trial.title ?? trial.officialTitle ?? canonicalId;
  const facts = [
    named(trial.recruitmentStatus),
    phaseWords(trial.phase),
    named(trial.studyType),
    ...(enrollment.count === null ? [] : [enrolled(enrollment)]),
    ...(trial.resultsAvailable ? ['Results posted'] : []),
  ];
  return html`<li><h3><a href="${trialAddress(canonicalId)}"><bdi>${cut(title, TITLE_MAX_CHARACTERS)}</bdi></a></h3>
<p>${facts.join(' · ')}</p>
<p>Sponsor: <bdi>${sponsor.name === null ? 'not stated' : cut(sponsor.name, TITLE_MAX_CHARACTERS)}</bdi>${sponsor.class !== 'unknown' && ` (${named(sponsor.class)})`}</p>
${terms('Conditions', trial.conditions)}
${terms(
  'Interventions',
  trial.interventions.flatMap(({ name }) => name ?? []),
)}
${labels(trial)}
<p class="soft">Registered as ${trial.registrations.map(
    ({ registry, id, url }, place) => html`${place > 0 && ' and '}${outside(url, id)} (${REGISTRY_NAMES[registry]})`,
  )}. Started ${registryDate(dates.start)}, last updated ${registryDate(dates.lastUpdated)}.${
    conflicts.length > 0 &&
    html` <strong>${conflicts.length === 1 ? '1 field differs' : `${count(conflicts.length)} fields differ`}</strong> between its registrations.`
  }</p></li>
`;
}

function terms(name: string, values: readonly string[]): Html | false {
  const shown = firstOf(values, TERMS_SHOWN);
  return shown !== null && html`<p>${name}: <bdi>${shown}</bdi></p>`;
}

/** A phase, for a place where no label says so. */
function phaseWords(phase: TrialListItem['phase']): string {
  const name = named(phase);
  return ['not-stated', 'not-applicable'].includes(phase) ? `Phase ${name.toLowerCase()}` : name;
}

/** Number of people, and whether planned or counted. */
export function enrolled({ count: people, type }: TrialListItem['enrollment']): string {
  if (people === null) return 'not stated';
  return `${count(people)} people${type === null ? '' : type === 'actual' ? ' (actual)' : ' (planned)'}`;
}

/** The terms that an inferred modality rests on. */
export function labels({ modality }: Pick<TrialListItem, 'modality'>): Html | false {
  if (modality === undefined) return false;
  const inferred = modality.labels.map(({ id, matchedTerms }) => {
    const words = firstOf(
      matchedTerms.map(({ text, field }) => `“${text}” in ${field}`),
      TERMS_SHOWN,
    );
    return `${named(id)} by ${words ?? 'no term'}`;
  });
  return html`<p>Modality, inferred by ${modality.vocabulary}: <bdi>${inferred.length === 0 ? 'none recognised' : inferred.join('; ')}</bdi></p>`;
}

/** The part of all trials found that is shown, with links to the parts beside it. */
export function listPager(
  query: URLSearchParams,
  { page = 1, pageSize = 1, totalItems = 0, returned, hasMore }: Pagination,
): Html {
  const first = (page - 1) * pageSize + 1;
  const last = Math.max(1, Math.ceil(totalItems / pageSize));
  const before = returned === 0 ? last : page - 1;
  return pager({
    path: '/trials',
    query,
    previous: page > 1 ? { page: before > 1 ? String(before) : '' } : null,
    next: hasMore === true ? { page: String(page + 1) } : null,
    shown:
      returned === 0
        ? `Page ${count(page)} is beyond the last, which is ${count(last)}`
        : `${count(first)} to ${count(first + returned - 1)} of ${count(totalItems)}`,
  });
}
