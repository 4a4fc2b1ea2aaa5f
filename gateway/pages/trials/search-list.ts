import type { TrialListItem } from '../../../contract/schemas/trials/trial.ts';
import { type Html, html } from '../html.ts';
import { pathWith } from '../kit/address.ts';
import { type Card, cards, table } from '../kit/parts.ts';
import { count, instant, joined, several } from '../kit/words.ts';
import { resultsState } from '../words/results-state.ts';
import { cut, firstOf, named, registeredAs, registryDate, type TrialSort, trialAddress } from '../words/trials.ts';
import { isFromDates } from './registry-notes.ts';
import { searchWith } from './search-asked.ts';
import { grounds } from './search-matching.ts';

const TITLE_MAX_CHARACTERS = 300;
const NAME_MAX_CHARACTERS = 120;
const TERMS_SHOWN = 3;
const COUNTRIES_SHOWN = 3;

interface ListInput {
  trials: readonly TrialListItem[];
  /** Of the list: it says the view, the order, and the country that the page of a trial then names first. */
  address: URLSearchParams;
  /** Day of the snapshot, to which days overdue count. */
  asOf: string | undefined;
  /** Day of ClinicalTrials.gov's data. */
  dataDay: string | null;
}

/** The trials of a page as cards or as the rows of a table. */
export function trialList({ trials, address, asOf, dataDay }: ListInput): Html {
  const country = address.get('country') ?? address.get('siteCountry');
  const hrefOf = ({ canonicalId }: TrialListItem) => pathWith(trialAddress(canonicalId), country ? { country } : {});
  if (address.get('view') !== 'table')
    return cards(trials.map((trial) => ({ ...card(trial, asOf, dataDay), href: hrefOf(trial) })));
  const sorted = (sort: TrialSort) => (address.get('sort') === sort ? null : searchWith(address, { sort }));
  return table('Trials found', trials, [
    [
      'Trial',
      (trial) =>
        html`<a href="${hrefOf(trial)}">${titleOf(trial)}</a><br><span class="soft">${joined(trial.registrations.map(({ id }) => id))}</span>`,
    ],
    [
      'Status',
      (trial) =>
        html`${named(trial.recruitmentStatus)}${sitesThere(trial) !== null && html`<br><span class="soft">${sitesThere(trial)}</span>`}`,
    ],
    ['Phase', ({ phase }) => named(phase)],
    ['Sponsor', ({ sponsor }) => sponsorName(sponsor) ?? 'Not stated'],
    ['Countries', ({ countries }) => countriesOf(countries) ?? 'Not stated'],
    ['Started', ({ dates }) => registryDate(dates.start), 'text', sorted('start')],
    [
      'People',
      ({ enrollment }) => (enrollment.count === null ? 'Not stated' : count(enrollment.count)),
      ...(['number', sorted('enrollment')] as const),
    ],
    ['Results', (trial) => resultsState(trial, asOf, dataDay) ?? 'None posted', 'text', sorted('daysOverdue')],
  ]);
}

export function card(trial: TrialListItem, asOf: string | undefined, dataDay: string | null = null): Card {
  const { canonicalId, dates, enrollment, sponsor, conflicts } = trial;
  const results = resultsState(trial, asOf, dataDay);
  const facts = [
    ...(sponsorName(sponsor) === null ? [] : [html`<bdi>${sponsorName(sponsor)}</bdi>`]),
    ...(countriesOf(trial.countries) === null ? [] : [countriesOf(trial.countries)!]),
    ...(enrollment.count === null ? [] : [enrolled(enrollment)]),
  ];
  return {
    title: titleOf(trial),
    href: trialAddress(canonicalId),
    tags: [named(trial.recruitmentStatus), phaseWords(trial.phase), ...(results === null ? [] : [results])],
    lines: [
      ...(facts.length === 0 ? [] : [html`${facts.map((fact, place) => [place > 0 && ' · ', fact])}`]),
      ...[sitesThere(trial)].filter((line) => line !== null),
      ...terms('Conditions', trial.conditions),
      ...[grounds(trial.matchedBy), labels(trial)].filter((line) => line !== false),
      html`<span class="soft">${registeredAs(trial)}. Started ${registryDate(dates.start)}, updated ${instant(dates.lastUpdated?.date ?? null)}.${isFromDates(trial.statusBasis) && ' Status worked out from its dates.'}${
        conflicts.length > 0 && ` Its registrations differ in ${several(conflicts.length, 'field', 'fields')}.`
      }</span>`,
    ],
  };
}

/** The statuses of the sites in the place that the search asks for; null where it does not ask for a status there. */
function sitesThere({ siteStatus }: TrialListItem): string | null {
  if (siteStatus === undefined) return null;
  const { place, statuses, basis } = siteStatus;
  const where = placeInWords(place);
  if (basis === 'trial') return `No site ${where} states its own status`;
  return `Sites ${where}: ${statuses.map((status) => named(status).toLowerCase()).join(', ')}`;
}

/** "in Leeds, United Kingdom", or "anywhere". */
export function placeInWords({ city, country }: NonNullable<TrialListItem['siteStatus']>['place']): string {
  const names = [city, country].filter((name) => name !== undefined).join(', ');
  return names === '' ? 'anywhere' : `in ${names}`;
}

function titleOf({ title, officialTitle, canonicalId, registrations }: TrialListItem): Html {
  const known = title ?? officialTitle;
  if (known !== null) return html`<bdi>${cut(known, TITLE_MAX_CHARACTERS)}</bdi>`;
  return html`${registrations[0]?.id ?? canonicalId} (no title in the data received)`;
}

function sponsorName({ name }: TrialListItem['sponsor']): string | null {
  return name === null ? null : cut(name, NAME_MAX_CHARACTERS);
}

function countriesOf(countries: readonly string[]): string | null {
  if (countries.length === 0) return null;
  const more = countries.length - COUNTRIES_SHOWN;
  return `${countries.slice(0, COUNTRIES_SHOWN).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

function terms(name: string, values: readonly string[]): Html[] {
  const shown = firstOf(values, TERMS_SHOWN, NAME_MAX_CHARACTERS);
  return shown === null ? [] : [html`${name}: <bdi>${shown}</bdi>`];
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
  return html`Modality, inferred by ${modality.vocabulary}: <bdi>${inferred.length === 0 ? 'none recognised' : inferred.join('; ')}</bdi>`;
}
