import { getTrialRegistrations } from '../../../contract/operations/trials/trials.ts';
import type { SiteStatusRecord } from '../../../contract/schemas/site-status.ts';
import type { AskedIdentifierRecord, HintCause, HintRecord } from '../../../contract/schemas/trials/hints.ts';
import type {
  AlsoMatchingRecord,
  MatchGroundRecord,
  MatchingRecord,
} from '../../../contract/schemas/trials/matching.ts';
import { type Html, html } from '../html.ts';
import { chips } from '../kit/list-controls.ts';
import { count, joined, trialsInWords } from '../kit/words.ts';
import { FailedRead, type ReadMeta, type Reads } from '../reads.ts';
import { trialAddress } from '../words/trials.ts';
import { searchWith } from './search-asked.ts';

/** How the words of a search were read, why each trial matched, and what else would find trials. */

/** What an answer about a query says of its matching. */
export interface MatchMeta {
  matching?: MatchingRecord;
  alsoMatching?: AlsoMatchingRecord;
  notices?: string[];
  siteStatus?: SiteStatusRecord;
  identifier?: AskedIdentifierRecord;
  hints?: HintRecord[];
}

export function matchMeta(meta: ReadMeta): MatchMeta {
  return meta as MatchMeta;
}

const SOURCE_NAMES: Record<NonNullable<MatchGroundRecord['source']>, string> = {
  mesh: 'MeSH',
  'disease-ontology': 'Disease Ontology',
  reviewed: 'reviewed table of synonyms',
};

/** An "or" in small letters, which is no operator. */
function eitherLink(address: URLSearchParams): Html | false {
  const q = address.get('q') ?? '';
  const either = withOr(q);
  if (either === q) return false;
  return html`<p class="notice tip">All of these words must occur. <a href="${searchWith(address, { q: either, match: 'concepts' })}">Search for either: <bdi>${either}</bdi></a></p>`;
}

const withOr = (q: string): string => (/["“”]/.test(q) ? q : q.replaceAll(/(?<=\S\s)or(?=\s\S)/g, 'OR'));

/** Notices of the answer that the page says in its own words: about operators, and about registrations without texts. */
const OPERATORS = /\bq takes no operators/;
const WITHOUT_TEXT = /^q asks for .*: (\d+) of (\d+) registrations of (.+) state it,/;

/** The answer's sentence on a registry number in q that is not held, or that was meant for one. */
const UNHELD = / is (?:not understood: an? |understood \([^)]+\) but not held: )/;
const ADDRESS = /(https:\/\/\S+)/;

/** That sentence with its address as a link; null where q is no such number. */
function unheldNote({ notices = [] }: MatchMeta): Html | null {
  const said = notices.find((notice) => UNHELD.test(notice));
  if (said === undefined) return null;
  const parts = said
    .split(ADDRESS)
    .map((part) => (ADDRESS.test(part) ? html`<a href="${part}">${part}</a>` : html`<bdi>${part}</bdi>`));
  return html`<p class="notice" role="note">${parts}</p>`;
}

/** Where words cannot find trials because a registry holds no text of them, and signs that are read as words. */
export function textNote({ notices = [] }: MatchMeta): Html {
  const wordless = notices.flatMap((notice) => {
    const [, stated, registrations, registry] = WITHOUT_TEXT.exec(notice) ?? [];
    if (registry === undefined) return [];
    return html`<p class="notice" role="note">Words cannot find most of ${registry}: of its ${count(Number(registrations))} registrations, ${count(Number(stated))} have a title, a condition, an intervention or a sponsor here.</p>`;
  });
  return html`${notices.some((notice) => OPERATORS.test(notice)) && html`<p class="hint">OR, -word and parentheses are read as words here; with other names and narrower kinds they work.</p>`}${wordless}`;
}

/** How the words were read, each reading with a link that undoes it, and what the other way of matching finds. */
export function matchingNote(meta: MatchMeta, address: URLSearchParams): Html {
  return html`${eitherLink(address)}
${meta.matching !== undefined && expanded(meta.matching, address)}
${meta.alsoMatching !== undefined && wider(meta.alsoMatching, address)}`;
}

function wider({ distinct, total, because }: AlsoMatchingRecord, address: URLSearchParams): Html | false {
  if (distinct === 0) return false;
  const readings = because
    .filter(({ heading, concept }) => heading !== null && concept !== null)
    .map(({ words, heading }) => html`“<bdi>${words}</bdi>” as <bdi>${heading}</bdi>`);
  return html`<p class="notice tip"><a href="${searchWith(address, { match: 'concepts' })}">With other names and narrower kinds: ${trialsInWords(total)}</a>${readings.length > 0 && html`, reading ${joined(readings, '; ')}`}.</p>`;
}

/** A reading is undone by quotation marks, in which words are matched as they stand. */
function expanded({ strict, strictNote, leftOut, respelt, because }: MatchingRecord, address: URLSearchParams): Html {
  const readings = because
    .filter(({ concept }) => concept !== null)
    .map(({ parameter = 'q', words, heading }) => ({
      title: html`“<bdi>${words}</bdi>” as <bdi>${heading ?? words}</bdi>`,
      removeHref: searchWith(address, asWritten(address, parameter, words)),
    }));
  return html`${chips('Also searched', readings)}
<p class="soft">${strictNote === undefined && html`<a href="${searchWith(address, { match: '' })}">The words alone: ${count(strict)}</a>.`}${respelt.length > 0 && html` ${joined(respelt.map(({ from, to }) => html`“<bdi>${from}</bdi>” was read as “<bdi>${to}</bdi>”`))}.`}${leftOut.length > 0 && html` Not searched for: ${joined(leftOut.map((word) => html`<bdi>${word}</bdi>`))}.`}</p>`;
}

/** The query with these words in quotation marks; by the words alone where it does not have them so. */
function asWritten(address: URLSearchParams, parameter: string, words: string): Record<string, string> {
  const value = address.get(parameter) ?? '';
  const at = value.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0) return { match: '' };
  const end = at + words.length;
  return { [parameter]: `${value.slice(0, at)}"${value.slice(at, end)}"${value.slice(end)}` };
}

/** Why a trial is in an answer by concepts. What the words mean stands above the list. */
export function grounds(matchedBy: readonly MatchGroundRecord[] = []): Html | false {
  const [first, ...others] = matchedBy;
  if (first === undefined) return false;
  if (others.length === 0) return html`Found by: ${viaWords(first)}`;
  return html`Found by: ${joined(
    matchedBy.map((ground) => html`“<bdi>${ground.words}</bdi>”, ${viaWords(ground)}`),
    '; ',
  )}`;
}

function viaWords({ via, term }: MatchGroundRecord): Html {
  const shown = html`“<bdi>${term ?? ''}</bdi>”`;
  if (via === 'words')
    return term === null ? html`its text has the words themselves` : html`its text has ${shown} as words`;
  if (via === 'sponsor') return html`its sponsor’s name has the words`;
  if (via === 'registry-mesh') return html`its registry attached ${shown}`;
  if (via === 'registry-mesh-ancestor') return html`its registry attached ${shown}, which is narrower`;
  if (via === 'other-name') return html`its text has ${shown}, which records state as another name`;
  return html`its text has ${shown}, a name by ${SOURCE_NAMES[via]}`;
}

/** Causes whose hints lead to more or other trials. */
const LEADING: readonly HintCause[] = ['filter', 'spelling', 'other-name', 'fewer', 'keyword'];
const UNKNOWN_WORD = /^No trial has “.*” in .*, and no known word is near\.$/;

/** Links that find more: a near spelling, a word or filter less. `isSaid`: the page says the filters in q already. */
export function wayOut(meta: MatchMeta, address: URLSearchParams, isSaid: boolean): Html | false {
  const { hints = [], notices = [] } = meta;
  const leading = hints.filter(({ cause }) => LEADING.includes(cause) && !(isSaid && cause === 'filter'));
  const unknown = isSaid || unheldNote(meta) !== null ? [] : notices.filter((notice) => UNKNOWN_WORD.test(notice));
  if (leading.length + unknown.length === 0) return false;
  return html`<div class="notice tip"><h3>What finds more</h3>
${unknown.map((sentence) => html`<p><bdi>${sentence}</bdi></p>`)}
${leading.length > 0 && html`<ul>${leading.map((hint) => html`<li><a href="${searchWith(sentFrom(hint.call, address), {})}">${hintWords(hint)}</a></li>`)}</ul>`}</div>`;
}

/** The sentence with its count as every link ends with one. */
function hintWords({ sentence, total }: HintRecord): Html {
  if (total === undefined) return html`<bdi>${sentence}</bdi>`;
  const words = sentence.replace(/(?:: | has )\d+ trials?(?: by concepts)?\.$/, '');
  return html`<bdi>${words}</bdi>: ${trialsInWords(total)}`;
}

/** The search of a call, in the order and the look of the page. */
function sentFrom(call: string, address: URLSearchParams): URLSearchParams {
  const sent = new URLSearchParams(call.split('?')[1]);
  for (const name of ['page', 'pageSize', 'sort', 'view']) sent.delete(name);
  for (const name of ['sort', 'view']) if (address.has(name)) sent.set(name, address.get(name)!);
  return sent;
}

/** Registries whose records this index holds: a number of theirs that is only mentioned is a record that is missing. */
const HELD_TYPES: readonly string[] = ['nct', 'isrctn'];
/** The identifier is that of the trial itself. */
const ITS_OWN: readonly AskedIdentifierRecord['standing'][] = ['canonical', 'alias', 'registration'];

/** The trial that an identifier in the search box leads to; null if it is none, or does not lead to exactly one. */
export function trialAsked({ identifier }: MatchMeta): string | null {
  if (identifier === undefined || identifier.total !== 1) return null;
  const { standing, type, trials: found } = identifier;
  const leads = ITS_OWN.includes(standing) || (standing === 'declared' && !HELD_TYPES.includes(type));
  return leads ? (found[0]?.canonicalId ?? null) : null;
}

/** What is known of an identifier that does not lead to one trial. The titles are read only where there is such a number. */
export async function identifierNote(reads: Reads, meta: MatchMeta): Promise<Html | false> {
  const { identifier } = meta;
  const unheld = unheldNote(meta);
  if (unheld !== null) return unheld;
  if (identifier === undefined || identifier.total === 0 || trialAsked(meta) !== null) return false;
  const { value, type, standing, total, trials: found } = identifier;
  const name = html`<strong><bdi>${value}</bdi></strong>`;
  const read = await reads.attempt(getTrialRegistrations, { id: value });
  const titles = new Map(
    read instanceof FailedRead
      ? []
      : read.data.matches.map(({ canonicalId, trial }) => [canonicalId, trial.title ?? trial.officialTitle]),
  );
  const isMissing = standing === 'declared' && HELD_TYPES.includes(type);
  const said = isMissing
    ? html`${name} is not held here: its own record is missing from this index. ${total === 1 ? 'One trial states the number' : `${count(total)} trials state the number`}:`
    : standing === 'sponsor-code'
      ? html`${name} is a code of a sponsor, which other sponsors may use too. It stands in:`
      : html`${name} leads to ${trialsInWords(total)}:`;
  return html`<div class="notice" role="note"><p>${said}</p><ul>${found.map(({ canonicalId }) => html`<li><a href="${trialAddress(canonicalId)}"><bdi>${titles.get(canonicalId) ?? canonicalId}</bdi></a></li>`)}</ul>${total > found.length && html`<p>These are the first ${found.length}.</p>`}</div>`;
}
