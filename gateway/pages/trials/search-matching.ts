import { getTrialRegistrations } from '../../../contract/operations/trials/trials.ts';
import type { SiteStatusRecord } from '../../../contract/schemas/site-status.ts';
import type { AskedIdentifierRecord, FewResultsRecord } from '../../../contract/schemas/trials/few-results.ts';
import type {
  AlsoMatchingRecord,
  MatchGroundRecord,
  MatchingRecord,
} from '../../../contract/schemas/trials/matching.ts';
import type { OtherReadingRecord } from '../../../contract/schemas/trials/other-readings.ts';
import { TEXTS_READ } from '../../../contract/trial-filters.ts';
import { type Html, html } from '../html.ts';
import { chips } from '../kit/list-controls.ts';
import { count, joined, trialsInWords } from '../kit/words.ts';
import { FailedRead, type ReadMeta, type Reads } from '../reads.ts';
import { FILTER_TITLES, type TrialFilter, trialAddress } from '../words/trials.ts';
import { searchWith } from './search-asked.ts';
import { filtersInWords, type NamedFilters } from './search-suggestions.ts';

/** How the words of a search were read, why each trial matched, and what else would find trials. */

/** What an answer about a query says of its matching. */
export interface MatchMeta {
  matching?: MatchingRecord;
  alsoMatching?: AlsoMatchingRecord;
  notices?: string[];
  siteStatus?: SiteStatusRecord;
  identifier?: AskedIdentifierRecord;
  fewResults?: FewResultsRecord;
  otherReadings?: OtherReadingRecord[];
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
${meta.alsoMatching !== undefined && wider(meta.alsoMatching, address)}
${meta.otherReadings !== undefined && otherwise(meta.otherReadings, address)}`;
}

const RELATIONS: Record<OtherReadingRecord['relation'], string> = {
  'may-mean': 'may mean',
  broader: 'is a kind of',
  related: 'is related to',
};

/** Links to what words may mean instead. */
function otherwise(readings: readonly OtherReadingRecord[], address: URLSearchParams): Html {
  const links = readings.map(({ parameter, words, relation, heading, value, total }) => {
    const target = searchWith(address, { [parameter]: value, match: 'concepts' });
    return html`<li>“<bdi>${words}</bdi>” ${RELATIONS[relation]} <a href="${target}"><bdi>${heading ?? value}</bdi>: ${trialsInWords(total)}</a></li>`;
  });
  return html`<ul class="notice tip">${links}</ul>`;
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

/** Links that find more: a near spelling, a word or filter less. `isSaid`: the page says the filters in q already. */
export function wayOut(meta: MatchMeta, address: URLSearchParams, isSaid: boolean): Html | false {
  const { fewResults } = meta;
  if (fewResults === undefined) return false;
  const match = meta.matching === undefined ? 'words' : 'concepts';
  const [spellings, unknown] = [spellingLinks(fewResults, address), unknownWords(fewResults, match)];
  const rather = !isSaid && ratherLink(fewResults, address);
  const unfound = isSaid || unheldNote(meta) !== null ? [] : unknown;
  const lines = [
    ...(rather === false ? [] : [rather]),
    ...keywordLink(fewResults, address),
    ...spellings,
    ...withoutLinks(fewResults, address),
  ];
  if (lines.length + unfound.length === 0) return false;
  return html`<div class="notice tip"><h3>What finds more</h3>
${unfound.length > 0 && html`<p>No trial has ${joined(unfound)}, and no known word is near.</p>`}
${lines.length > 0 && html`<ul>${lines.map((one) => html`<li>${one}</li>`)}</ul>`}</div>`;
}

/** A word as the answer cuts it out of the text. */
const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu;

function spellingLinks({ spelling }: FewResultsRecord, address: URLSearchParams): Html[] {
  return spelling.flatMap(({ parameter, word, nearest }) =>
    nearest.map((near) => {
      const value = (address.get(parameter) ?? '').replaceAll(WORD, (one) => (one === word ? near.word : one));
      return html`<a href="${searchWith(address, { [parameter]: value })}">“<bdi>${near.word}</bdi>” for “<bdi>${word}</bdi>”</a> <span class="soft">(${trialsInWords(near.trials)} with the word by itself)</span>`;
    }),
  );
}

/** Each with the fields that were read for it: the word may stand elsewhere in a record. */
function unknownWords({ spelling }: FewResultsRecord, match: keyof typeof TEXTS_READ): Html[] {
  return spelling
    .filter(({ nearest }) => nearest.length === 0)
    .map(({ parameter, word }) => html`“<bdi>${word}</bdi>” in ${TEXTS_READ[match][parameter] ?? 'its text'}`);
}

/** The words among the keywords of the registry, which the search box reads for names of concepts alone. */
function keywordLink({ keyword }: FewResultsRecord, address: URLSearchParams): Html[] {
  if (keyword === undefined) return [];
  const { parameter, rest, value, total } = keyword;
  const target = searchWith(address, { [parameter]: rest ?? '', keyword: value });
  return [
    html`<a href="${target}">With “<bdi>${value}</bdi>” among the keywords of the registry: ${trialsInWords(total)}</a>`,
  ];
}

/** The question that the answer suggests, as filters and words. */
export function betterQuestion({
  fewResults,
}: MatchMeta): (NamedFilters & { trials: number; dropped: string[] }) | null {
  if (fewResults?.rather === undefined) return null;
  const { q, filters, dropped, total } = fewResults.rather;
  return { filters: filters as NamedFilters['filters'], words: q ?? '', trials: total, dropped };
}

/** The question that the answer suggests, in words. */
function ratherLink({ rather }: FewResultsRecord, address: URLSearchParams): Html | false {
  if (rather === undefined) return false;
  const { q, dropped, total } = rather;
  const filters = rather.filters as NamedFilters['filters'];
  const parts = [
    ...(Object.keys(filters).length === 0 ? [] : [filtersInWords(filters)]),
    ...(q === null ? [] : [html`“<bdi>${q}</bdi>”`]),
  ];
  return html`<a href="${searchWith(address, { ...filters, q: q ?? '' })}">Only ${joined(parts, ' with ')}: ${trialsInWords(total)}</a>${dropped.length > 0 && html`, without ${joined(dropped.map((word) => html`“<bdi>${word}</bdi>”`))}`}`;
}

/** The query without one of its pieces, which stand apart by blanks or are "phrases". */
function leaving(query: string, piece: string): string {
  const spaced = ` ${query.replaceAll(/\s+/g, ' ')} `;
  const apart = ` ${piece} `;
  return (spaced.includes(apart) ? spaced.replace(apart, ' ') : spaced.replace(piece, ' ')).trim();
}

/** Only what finds more than the search itself. */
function withoutLinks({ total, without }: FewResultsRecord, address: URLSearchParams): Html[] {
  return without
    .filter((one) => one.total > total)
    .map(({ parameter, dropped, total: found }) => {
      const value = address.get(parameter) ?? '';
      const isPiece = parameter === 'q' && dropped !== value;
      const rest = isPiece ? leaving(value, dropped) : '';
      const what = isPiece
        ? html`“<bdi>${dropped}</bdi>”`
        : html`${FILTER_TITLES[parameter as TrialFilter]} <bdi>${dropped}</bdi>`;
      return html`<a href="${searchWith(address, { [parameter]: rest })}">Without ${what}: ${trialsInWords(found)}</a>`;
    });
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
