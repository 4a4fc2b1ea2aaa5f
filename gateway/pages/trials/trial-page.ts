import { httpInput } from '../../../contract/interfaces/arguments.ts';
import { getTrialHistory } from '../../../contract/operations/trials/trial-history.ts';
import {
  getTrial,
  getTrialRegistrations,
  getTrialRelatedResearch,
} from '../../../contract/operations/trials/trials.ts';
import type { RelatedResearch } from '../../../contract/schemas/trials/related.ts';
import type { TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import type { TrialHistory } from '../../../contract/schemas/trials/trial-change.ts';
import { failureNotice } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { pager } from '../kit/list-controls.ts';
import { section, takeAway } from '../kit/parts.ts';
import { count, several } from '../kit/words.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { VERSIONS_TOLD } from '../pictures/timeline.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { resultsStateOf } from '../words/results-state.ts';
import { cut, dataDayOf, trialAddress } from '../words/trials.ts';
import { Extent } from './extent.ts';
import { boardPart } from './trial-board.ts';
import { arms, design, eligibility, otherNumbers, outcomes, summary } from './trial-details.ts';
import { evidence, identifiers, modality } from './trial-evidence.ts';
import { facts, jsonLd, sentence, takingPart } from './trial-facts.ts';
import { historyPart } from './trial-history.ts';
import { citation, proof } from './trial-proof.ts';
import { declared, literature } from './trial-research.ts';
import { sides } from './trial-sides.ts';
import { sites } from './trial-sites.ts';
import { timelinePart } from './trial-timeline.ts';

const TITLE_MAX_CHARACTERS = 300;
const DESCRIPTION_MAX_CHARACTERS = 300;
/** Trials shown that state an identifier without a record. */
const STATING_SHOWN = 20;
/** Versions on a page of its history alone. */
const VERSIONS_A_PAGE = 20;

/** What the parts of a page are made of, each read once. */
interface Known {
  trial: TrialRecord;
  answer: Answered<TrialRecord>;
  related: Answered<RelatedResearch> | FailedRead;
  history: Answered<TrialHistory> | FailedRead;
  request: PageRequest;
  /** Whether the reader asks the literature, which takes seconds. */
  asksLiterature: boolean;
}

interface Part {
  id: string;
  title: string;
  show: (known: Known, extent: Extent) => Html;
  /** Items shown on the page of the trial, and on a page of the part alone; characters of a text likewise. */
  items?: readonly [few: number, all: number];
  characters?: readonly [few: number, all: number];
}

const ITEMS = [12, 40] as const;
const ALL = 60_000;
const CHARACTERS = [1500, ALL] as const;

const ofTrial =
  (show: (trial: TrialRecord, extent: Extent) => Html): Part['show'] =>
  ({ trial }, extent) =>
    show(trial, extent);

/** The parts about the study, in the order of the page. Each has an address of its own, which shows all of it. */
const PARTS: readonly Part[] = [
  { id: 'summary', title: 'Summary', show: ofTrial(summary), characters: [6000, ALL] },
  { id: 'eligibility', title: 'Who can take part', show: ofTrial(eligibility), characters: [6000, ALL] },
  { id: 'arms', title: 'Arms and interventions', show: ofTrial(arms), characters: [400, ALL] },
  { id: 'outcomes', title: 'Outcomes', show: ofTrial(outcomes), characters: [400, ALL], items: [10, 10] },
  {
    ...{ id: 'sites', title: 'Sites', items: [80, 100] },
    show: ({ trial, request: { query } }, extent) =>
      sites(trial, { extent, country: query.has('part') ? query.get('country') : null }),
  },
  {
    ...{ id: 'design', title: 'Design, organisations and sharing' },
    show: ({ trial }, extent) => html`${design(trial, extent)}${modality(trial)}`,
  },
  { id: 'sides', title: 'What each registry says', show: ofTrial(sides), characters: [500, ALL] },
  {
    ...{ id: 'evidence', title: 'Links to other registrations' },
    show: ({ trial, answer }, extent) => evidence(trial, answer.meta, extent),
  },
  {
    ...{ id: 'identifiers', title: 'Identifiers', items: [40, 40] },
    show: ofTrial((trial, extent) => identifiers(trial, otherNumbers(trial, extent), extent)),
  },
  { id: 'history', title: 'History', show: ({ history }) => historyPart(history) },
  {
    ...{ id: 'publications', title: 'Publications', items: [30, 30], characters: [400, 20_000] },
    show: ({ trial, related, asksLiterature }, extent) => html`${declared(related, extent)}
<h3 id="literature">What the literature says</h3>
${literature(trial, asksLiterature, related)}`,
  },
];

function titleOfPart({ id, title }: Part, { registrations }: TrialRecord): string {
  return id === 'evidence' && registrations.length > 1 ? 'Why these registrations are one trial' : title;
}

/** One trial and its evidence. */
export const trialPage: Page = {
  id: 'page-trial',
  async respond(request) {
    const { params, query, now } = request;
    const reads = request.reads.bare;
    const id = params.id!;
    const part = PARTS.find((one) => one.id === query.get('part'));
    const asksLiterature = query.get('literature') === 'true';
    const asksRaw = query.get('raw') === 'true' && part === undefined;
    const page = pageNumber(query);
    const read = reads.attempt(getTrial, {
      canonicalId: id,
      include: 'modality',
      ...(asksRaw && { includeRaw: true }),
    });
    const [first, related, history, board] = await Promise.all([
      read,
      reads.attempt(getTrialRelatedResearch, { id, ...(!asksLiterature && { include: 'declared' }) }),
      reads.attempt(getTrialHistory, { id, order: 'newest', ...versions(part, page) }),
      // Another process answers meanwhile.
      read.then((trial) =>
        part !== undefined || trial instanceof FailedRead ? null : boardPart(reads, trial.data, now),
      ),
    ]);
    // A payload that cannot be read must not take the rest of the page with it.
    const isRawMissing = first instanceof FailedRead && asksRaw && first.status >= 500;
    const answer = isRawMissing ? await reads.attempt(getTrial, { canonicalId: id, include: 'modality' }) : first;
    if (answer instanceof FailedRead) return unknown(answer, request);
    const trial = countryFirst(answer.data, query.get('country'));
    const known: Known = { trial, answer, related, history, request, asksLiterature };
    if (part !== undefined) return partAlone(part, known, page);
    const raw = isRawMissing ? first : asksRaw ? (answer.data.raw ?? []) : null;
    return whole(known, raw, board ?? (await boardPart(reads, answer.data, now)));
  },
};

function pageNumber(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? 1);
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}

function versions(part: Part | undefined, page: number): { page: number; pageSize: number } {
  return part?.id === 'history' ? { page, pageSize: VERSIONS_A_PAGE } : { page: 1, pageSize: VERSIONS_TOLD };
}

function titleOf({ title, officialTitle, canonicalId }: TrialRecord): string {
  return cut(title ?? officialTitle ?? canonicalId, TITLE_MAX_CHARACTERS);
}

function whole(known: Known, raw: TrialRecord['raw'] | FailedRead | null, board: Html): PageContent {
  const { trial, answer, related, history, request, asksLiterature } = known;
  const { baseUrl, params } = request;
  const { canonicalId, officialTitle, title } = trial;
  const path = trialAddress(canonicalId);
  const asOf = String(answer.meta.provenance?.asOf ?? '');
  const results = resultsStateOf(trial, asOf);
  const publications = related instanceof FailedRead ? null : related.data.registryDeclared.publications;
  const articles = (publications ?? []).filter(({ kind, retracted }) => kind === 'results' && !retracted);
  const dataDay = dataDayOf(trial, answer.meta.provenance);
  const told = sentence(trial, { results, articles, dataDay });
  return {
    title: titleOf(trial),
    description: cut(told, DESCRIPTION_MAX_CHARACTERS),
    canonical: `${baseUrl}${path}`,
    jsonLd: jsonLd(trial, `${baseUrl}${path}`),
    main: html`${movedNotice(params.id!, trial)}${supersededNotice(trial)}
<p class="lead"><bdi>${told}</bdi></p>
${takingPart(trial)}
${officialTitle !== null && title !== null && officialTitle !== title && html`<details><summary>Official title</summary><p><bdi>${officialTitle}</bdi></p></details>`}
${facts(trial, { results, articles, dataDay }, `${baseUrl}${path}`)}
${timelinePart({
  trial,
  results,
  asOf,
  dataDay,
  history: history instanceof FailedRead ? null : history.data,
  publications,
})}
${PARTS.map((part) => beginning(part, known))}
${section('board', 'What agents wrote', board)}
${section('proof', 'Proof and citation', html`${proof(trial, baseUrl, raw)}<details id="citation"><summary>How to cite it</summary>${citation(trial)}</details>`)}
${takeAway([
  {
    title: 'This trial as JSON',
    href: httpInput(getTrial, { canonicalId }).path,
    hint: 'every field, with what each registry says',
  },
  {
    title: 'Its history as JSON',
    href: httpInput(getTrialHistory, { id: canonicalId }).path,
    hint: 'what changed from snapshot to snapshot',
  },
  { title: 'Proof', href: `/api/v1/trials/${canonicalId}/proof`, hint: 'to be verified without this service' },
])}`,
    calls: [
      httpInput(getTrial, { canonicalId, include: 'modality', ...(raw !== null && { includeRaw: true }) }).path,
      httpInput(getTrialRelatedResearch, { id: canonicalId, ...(!asksLiterature && { include: 'declared' }) }).path,
    ],
  };
}

/** A part on the page of the trial: its beginning, and a link to all of it where something is left out. */
function beginning(part: Part, known: Known): Html {
  const { items = ITEMS, characters = CHARACTERS } = part;
  const extent = new Extent({ items: items[0], characters: characters[0] });
  const shown = part.show(known, extent);
  const { trial, history } = known;
  const left = part.id === 'history' ? versionsOf(history) > VERSIONS_TOLD : extent.leavesOut;
  const rest = html`<p><a href="${trialAddress(trial.canonicalId)}?part=${part.id}">All of “${titleOfPart(part, trial)}”</a></p>`;
  return section(part.id, titleOfPart(part, trial), html`${shown}${left && rest}`);
}

function versionsOf(history: Known['history']): number {
  return history instanceof FailedRead ? 0 : (history.meta.pagination?.totalItems ?? 0);
}

/** All of one part. */
function partAlone(part: Part, known: Known, page: number): PageContent {
  const { trial, request, history } = known;
  const { items = ITEMS, characters = CHARACTERS } = part;
  const [, pageSize] = part.id === 'history' ? [0, VERSIONS_A_PAGE] : items;
  const extent = new Extent({ items: pageSize, characters: characters[1], page });
  const shown = part.show(known, extent);
  const totalItems = part.id === 'history' ? versionsOf(history) : extent.longest;
  const path = trialAddress(trial.canonicalId);
  const title = titleOfPart(part, trial);
  return {
    title: `${title}: ${titleOf(trial)}`,
    canonical: `${request.baseUrl}${path}?part=${part.id}`,
    description: `${title} of the trial ${titleOf(trial)}.`,
    crumbs: [
      ['Trials', '/trials'],
      [trial.registrations[0]?.id ?? trial.canonicalId, path],
    ],
    main: html`${supersededNotice(trial)}
<p><a href="${path}">The whole trial</a></p>
${section(part.id, title, shown)}
${totalItems > pageSize && pager({ path, query: request.query, paging: { page, pageSize, totalItems, hasMore: page * pageSize < totalItems }, shown: `${count(totalItems)} in all` })}`,
    calls: [httpInput(getTrial, { canonicalId: trial.canonicalId }).path],
  };
}

/** Shown if an id led here that the trial had before. */
function movedNotice(id: string, { canonicalId, aliases }: TrialRecord): Html | false {
  return (
    aliases.includes(id) &&
    html`<p class="notice" role="note"><bdi>${id}</bdi> is an id that this trial had before. The address to keep is <a href="${trialAddress(canonicalId)}"><code>${trialAddress(canonicalId)}</code></a>.</p>`
  );
}

/** Shown above a registration that its registry has replaced by another. */
function supersededNotice({ supersededBy, registrations }: TrialRecord): Html | false {
  return (
    supersededBy !== undefined &&
    html`<p class="notice" role="note">This registration${registrations.map(({ id }) => html` <bdi>${id}</bdi>`)} was superseded by <a href="${trialAddress(supersededBy.canonicalId)}">${supersededBy.id}</a>. It counts nowhere; its study is the trial of that registration.</p>`
  );
}

/** The trial with the country first that a list was narrowed to. */
function countryFirst(trial: TrialRecord, country: string | null): TrialRecord {
  const countries = trial.countries.toSorted((a, b) => Number(b === country) - Number(a === country));
  return { ...trial, countries };
}

/** How a refusal begins that knows the kind of a number, which people see in the number. */
const UNDERSTOOD = /^(\S+) is understood \([^)]+\) but not held: /;

/** Explains which ids are possible, and lists trials that state an id without a record. */
async function unknown(failure: FailedRead, { reads, params }: PageRequest): Promise<PageContent> {
  const { status, error } = failure;
  if (status !== 404 && status !== 400) throw failure;
  const id = params.id!;
  const history = httpInput(getTrialHistory, { id }).path;
  const isRemoved = error.hint.startsWith(`GET ${history} `);
  const stated = status === 404 ? await reads.attempt(getTrialRegistrations, { id }) : null;
  return {
    title: status === 404 ? 'No such trial' : 'Not an identifier',
    status,
    main: html`${failureNotice({ ...error, message: error.message.replace(UNDERSTOOD, 'No record of $1 is held here: ') })}
${isRemoved && html`<p><a href="${history}">History of this trial</a>: when it was removed and how it changed before, as JSON.</p>`}
${stated !== null && !(stated instanceof FailedRead) && stating(id, stated)}
<p>The address of a trial takes its canonical id (<code>wt_</code> and twelve letters or digits), one of its earlier ids, or the id of one of its registrations: an NCT number such as <code>NCT01234567</code> or an ISRCTN number such as <code>ISRCTN12345678</code>.</p>
<p><a href="/trials">Search the trials</a></p>`,
    ...(status === 404 && { calls: [httpInput(getTrial, { canonicalId: id }).path] }),
  };
}

type Resolved = Answered<{ total: number; matches: { canonicalId: string; trial: TrialRecord }[] }>;

function stating(id: string, { data: { total, matches } }: Resolved): Html {
  return html`<div class="notice"><p>No record of <bdi>${id}</bdi> is held, but ${several(total, 'trial states', 'trials state')} it:</p>
<ul>${matches.slice(0, STATING_SHOWN).map(({ canonicalId, trial }) => html`<li><a href="${trialAddress(canonicalId)}"><bdi>${cut(trial.title ?? trial.officialTitle ?? canonicalId, TITLE_MAX_CHARACTERS)}</bdi></a></li>`)}</ul></div>`;
}
