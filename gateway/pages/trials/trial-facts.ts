import { pageOf } from '../../../contract/interfaces/pages.ts';
import { RESULTS_GAP_MONTHS } from '../../../contract/limits/limits.ts';
import type { RelatedResearch } from '../../../contract/schemas/trials/related.ts';
import type { TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import { type Html, html } from '../html.ts';
import { conditionAddress, countryAddress, sponsorAddress } from '../kit/address.ts';
import { copyable, counted, record } from '../kit/parts.ts';
import { count, instant, joined, longDay, several } from '../kit/words.ts';
import type { ResultsState } from '../words/results-state.ts';
import { cut, named, outside, REGISTRY_NAMES, registeredAs } from '../words/trials.ts';
import { isFromDates, noteInWords, unreadableDate, unstated } from './registry-notes.ts';
import { paperLinks } from './trial-research.ts';

/** The first things that a reader asks of a trial. */

const NAMES_IN_A_SENTENCE = 3;
const NAME_MAX_CHARACTERS = 80;
const UNREADABLE_SHOWN = 8;

/** What the trial is, in plain sentences made of its fields. */
export function sentence(trial: TrialRecord, { results, articles, dataDay }: Known): string {
  return `${what(trial)}. ${standing(trial, dataDay)}. ${resultsSentence(results, articles.length)}`;
}

type Publication = NonNullable<RelatedResearch['registryDeclared']['publications']>[number];

/** What is told of a trial beside its record. */
export interface Known {
  results: ResultsState;
  /** Publications that a registry lists as results. */
  articles: readonly Publication[];
  /** Of the data that state its status; null where that is not known. */
  dataDay: string | null;
}

function what({ phase, studyType, conditions, interventions, sponsor }: TrialRecord): string {
  const kinds: Partial<Record<TrialRecord['studyType'], string>> = {
    interventional: 'trial',
    observational: 'observational study',
    expanded_access: 'programme of expanded access',
  };
  const isPhased = phase !== 'not-stated' && phase !== 'not-applicable';
  const kind = `${isPhased ? `${named(phase).toLowerCase()} ` : ''}${kinds[studyType] ?? 'study'}`;
  const tested = interventions.flatMap(({ name }) => name ?? []);
  return [
    `${/^[aeiou]/.test(kind) ? 'An' : 'A'} ${kind}`,
    ...(conditions.length === 0 ? [] : [` in ${namesInWords(conditions)}`]),
    ...(tested.length === 0 ? [] : [`, with ${namesInWords(tested)}`]),
    ...(sponsor.name === null ? [] : [`, run by ${cut(sponsor.name, NAME_MAX_CHARACTERS)}`]),
  ].join('');
}

function namesInWords(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_IN_A_SENTENCE).map((name) => cut(name, NAME_MAX_CHARACTERS));
  const left = names.length - shown.length;
  const all = left > 0 ? [...shown, `${count(left)} more`] : shown;
  return all.length === 1 ? all[0]! : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

const STANDINGS: Readonly<Record<string, string>> = {
  not_yet_recruiting: 'It is not recruiting yet',
  recruiting: 'It is recruiting',
  enrolling_by_invitation: 'It is enrolling by invitation',
  active_not_recruiting: 'It is under way and no longer recruiting',
  running: 'It is under way',
  completed: 'It is completed',
  terminated: 'It was stopped early',
  withdrawn: 'It was withdrawn before anyone took part',
  suspended: 'It is suspended',
};

/** Statuses that stay: of any other it is said on which day it held. */
const FINAL: readonly TrialRecord['status'][] = ['completed', 'terminated', 'withdrawn'];

function standing({ status, recruitmentStatus, enrollment }: TrialRecord, dataDay: string | null): string {
  const words = STANDINGS[recruitmentStatus] ?? STANDINGS[status] ?? `Its status is "${named(status).toLowerCase()}"`;
  const state = dataDay === null || FINAL.includes(status) ? words : `${words} as of ${longDay(dataDay)}`;
  if (enrollment.count === null || enrollment.count === 0) return state;
  const people = `${count(enrollment.count)} ${enrollment.count === 1 ? 'person' : 'people'}`;
  if (enrollment.type === 'actual') return `${state}; ${people} took part`;
  return `${state}; ${people} ${enrollment.type === null ? 'are stated' : 'are planned'}`;
}

function resultsSentence(results: ResultsState, articles: number): string {
  switch (results.kind) {
    case 'posted':
      return `Results are posted${results.date === null ? '' : `, since ${results.date}`}.`;
    case 'overdue':
      return `No results are posted, ${days(results.days)} after they were due.`;
    case 'awaited':
      return 'No results are posted; they are not due yet.';
    case 'not-counted':
      return 'No results are posted.';
    case 'no-summary':
      return `The registry holds no summary of results${articles === 0 ? '' : `, but lists ${several(articles, 'article', 'articles')} as results`}.`;
  }
}

const days = (number: number): string => (number === 1 ? '1 day' : `${count(number)} days`);

/** Where to turn, of a trial that takes people: no contacts are held here. */
export function takingPart(trial: TrialRecord): Html | false {
  return (
    trial.recruitmentStatus === 'recruiting' &&
    html`<p>To ask about taking part, turn to the contacts in the registry's own record: ${registeredAs(trial)}. <a href="#eligibility">Who can take part</a></p>`
  );
}

/** Status first, ids last. */
export function facts(trial: TrialRecord, { results, articles, dataDay }: Known, permanent: string): Html {
  const { recruitmentStatus, status, phase, studyType, sponsor, countries, conditions, enrollment } = trial;
  const stopped = [...new Set(trial.registrations.flatMap(({ fields }) => fields.whyStopped ?? []))];
  return html`${record([
    [
      'Status',
      html`<strong>${named(recruitmentStatus === 'unknown' ? status : recruitmentStatus)}</strong>${dataDay !== null && !FINAL.includes(status) && ` as of ${longDay(dataDay)}`}${isFromDates(trial.statusBasis) && html`<br><span class="soft">The registry states no status: ${noteInWords(trial.statusBasis!)}.</span>`}${stopped.map((why) => html`<br>Why it stopped: <bdi>${why}</bdi>`)}`,
    ],
    ['Phase', phase === 'not-stated' ? null : named(phase)],
    ['Kind of study', studyType === 'unknown' ? null : named(studyType)],
    [
      'Sponsor',
      sponsor.name === null
        ? null
        : html`<a href="${sponsorAddress(sponsor.name)}"><bdi>${sponsor.name}</bdi></a>${sponsor.class !== 'unknown' && ` (${named(sponsor.class)})`}`,
    ],
    [countries.length === 1 ? 'Country' : 'Countries', linkedNames(countries, countryAddress)],
    [conditions.length === 1 ? 'Condition' : 'Conditions', linkedNames(conditions, conditionAddress)],
    ['Enrolment', people(enrollment)],
    ...unreadableDates(trial),
    ['Results', html`${resultsFact(results)}${results.kind !== 'posted' && listedResults(articles)}`],
    ['Registered as', registeredAs(trial)],
    ['Address to keep', copyable(permanent)],
    trial.aliases.length > 0 && ['Earlier ids', html`${joined(trial.aliases.map(copyable))}, which keep leading here`],
  ])}`;
}

/** People have no list: registries state how many they are and nothing of each. */
function people({ count: number, type, note }: TrialRecord['enrollment']): Html | string | null {
  if (number === null) return unstated(note);
  return html`${counted(number, null)} ${number === 1 ? 'person' : 'people'}${type !== null && (type === 'actual' ? ', actual' : ', planned')}${note !== null && html` (${noteInWords(note)})`}`;
}

/** A date that a registry states and that cannot be read would else look like one that it left blank. */
function unreadableDates({ registrations }: TrialRecord): [string, Html][] {
  const unread = registrations.flatMap(({ id, fields }) =>
    (fields.dateNotes ?? []).map((note) => ({ id, ...unreadableDate(note) })),
  );
  const shown = unread
    .slice(0, UNREADABLE_SHOWN)
    .map(({ id, field, text }) => html`${field} “<bdi>${text}</bdi>” (<bdi>${id}</bdi>)`);
  const more = unread.length - shown.length;
  return unread.length === 0
    ? []
    : [['Dates that cannot be read', html`${joined(shown, '; ')}${more > 0 && ` and ${count(more)} more`}`]];
}

const GAP = pageOf('page-results-gap').path;

function resultsFact(results: ResultsState): Html {
  const rule = html`<a href="${GAP}">results gap</a>`;
  switch (results.kind) {
    case 'posted':
      return html`<span class="good">✓ Posted</span>${results.date !== null && html` on ${instant(results.date)}`}${punctuality(results.daysAfterDue)}`;
    case 'overdue':
      return html`<strong class="bad">Not posted, ${days(results.days)} after they were due</strong> on ${instant(results.due)}: ${RESULTS_GAP_MONTHS} months after its ${results.basis}, as the ${rule} counts. A trial may have had no duty to post them.`;
    case 'awaited':
      return html`Not posted; due on ${instant(results.due)}, in ${days(results.days)}: ${RESULTS_GAP_MONTHS} months after its ${results.isEstimated && 'planned '}${results.basis}, as the ${rule} counts.`;
    case 'not-counted':
      return html`Not posted. ${results.why} (<a href="${GAP}">What the results gap counts</a>)`;
    case 'no-summary':
      return html`No summary of results is held by ISRCTN, which does not post results in the same sense. (<a href="${GAP}">What the results gap counts</a>)`;
  }
}

const ARTICLES_SHOWN = 3;

/** Articles that a registry lists as results; nothing where it lists none. */
function listedResults(articles: readonly Publication[]): Html | false {
  if (articles.length === 0) return false;
  const more = articles.length - ARTICLES_SHOWN;
  return html`<br>Listed by the registry as results: ${joined(articles.slice(0, ARTICLES_SHOWN).map(paperLinks))}${more > 0 && ` and ${count(more)} more`}. <a href="#publications">Publications</a>`;
}

function punctuality(daysAfterDue: number | null): Html | false {
  if (daysAfterDue === null) return false;
  const when = daysAfterDue > 0 ? `${days(daysAfterDue)} after` : `${days(-daysAfterDue)} before`;
  return html`, ${when} they were due by the definition of the <a href="${GAP}">results gap</a>`;
}

/** The trial in the vocabulary of schema.org. Only what is stated is in it. */
export function jsonLd(trial: TrialRecord, address: string): Record<string, unknown> {
  const { title, officialTitle, acronym, canonicalId, conditions, countries, sponsor, registrations } = trial;
  const statuses: Readonly<Record<string, string>> = {
    not_yet_recruiting: 'NotYetRecruiting',
    recruiting: 'Recruiting',
    enrolling_by_invitation: 'EnrollingByInvitation',
    active_not_recruiting: 'ActiveNotRecruiting',
    completed: 'Completed',
    terminated: 'Terminated',
    withdrawn: 'Withdrawn',
    suspended: 'Suspended',
  };
  const status = statuses[trial.recruitmentStatus];
  const alternate = [officialTitle, acronym].filter((name) => name !== null && name !== title);
  return {
    '@type': 'MedicalTrial',
    '@id': address,
    url: address,
    name: title ?? officialTitle ?? canonicalId,
    ...(alternate.length > 0 && { alternateName: alternate }),
    identifier: [
      canonicalId,
      ...registrations.map(({ registry, id }) => ({
        '@type': 'PropertyValue',
        propertyID: REGISTRY_NAMES[registry],
        value: id,
      })),
    ],
    sameAs: registrations.map(({ url }) => url).filter((url) => outside(url, url) !== url),
    ...(status !== undefined && { status: `https://schema.org/${status}` }),
    ...(conditions.length > 0 && {
      healthCondition: conditions.map((name) => ({ '@type': 'MedicalCondition', name })),
    }),
    ...(countries.length > 0 && { studyLocation: countries.map((name) => ({ '@type': 'Country', name })) }),
    ...(sponsor.name !== null && { sponsor: { '@type': 'Organization', name: sponsor.name } }),
  };
}

/** Names that are shown before the rest is folded away. */
const NAMES_SHOWN = 8;

/** Names, each linked to its page; many of them are folded away after the first. Null if there is none. */
function linkedNames(names: readonly string[], address: (name: string) => string): Html | null {
  if (names.length === 0) return null;
  const links = names.map((name) => html`<a href="${address(name)}"><bdi>${name}</bdi></a>`);
  if (names.length <= NAMES_SHOWN + 1) return joined(links);
  return html`${joined(links.slice(0, NAMES_SHOWN))}<details><summary>and ${counted(names.length - NAMES_SHOWN, null)} more</summary>${joined(links.slice(NAMES_SHOWN))}</details>`;
}
