import type { AskedIdentifierRecord, FewResultsRecord } from '../../../contract/schemas/few-results.ts';
import type { AlsoMatchingRecord, MatchGroundRecord, MatchingRecord } from '../../../contract/schemas/matching.ts';
import type { OtherReadingRecord } from '../../../contract/schemas/other-readings.ts';
import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { count, joined } from '../kit/words.ts';
import type { ReadMeta } from '../reads.ts';
import { FILTER_TITLES, named, type TrialFilter } from './words.ts';

/** How the words of a search were read, why each trial matched, and what else would find trials. */

/** What an answer about a query says of its matching. */
export interface MatchMeta {
  matching?: MatchingRecord;
  alsoMatching?: AlsoMatchingRecord;
  notices?: string[];
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

/** Both counts beside each other, with a link to the other way of matching. */
export function matchingNote(meta: MatchMeta, address: URLSearchParams): Html {
  return html`${(meta.notices ?? []).map((notice) => html`<p class="notice" role="note">${notice}</p>`)}
${meta.alsoMatching !== undefined && wider(meta.alsoMatching, address)}
${meta.matching !== undefined && expanded(meta.matching, address)}
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
    const target = addressWith('/trials', address, { [parameter]: value, match: 'concepts' });
    return html`<li>“<bdi>${words}</bdi>” ${RELATIONS[relation]} <a href="${target}"><bdi>${heading ?? value}</bdi></a>: ${trials(total)}</li>`;
  });
  return html`<div class="notice" role="note"><p>Other readings, by concepts:</p><ul>${links}</ul></div>`;
}

function wider({ distinct, because }: AlsoMatchingRecord, address: URLSearchParams): Html | false {
  if (distinct === 0) return false;
  const readings = because.map(({ words, heading, source, year }) =>
    heading === null
      ? html`“<bdi>${words}</bdi>”: ${source}`
      : html`“<bdi>${words}</bdi>” as <bdi>${heading}</bdi> (${source}, ${year})`,
  );
  return html`<p class="notice" role="note"><a href="${addressWith('/trials', address, { match: 'concepts' })}">By concepts ${count(distinct)} more</a>${readings.length > 0 && html`: ${joined(readings, '; ')}`}.</p>`;
}

function expanded(
  { strict, strictNote, expanded: found, strictOnly, leftOut, respelt }: MatchingRecord,
  address: URLSearchParams,
) {
  const words = addressWith('/trials', address, { match: '' });
  return html`<div class="notice" role="note"><p>${trials(found)} by concepts; <a href="${words}">${count(strict)} by the words alone</a>${strictOnly > 0 && strictNote === undefined && ` (${count(strictOnly)} not among these, because the words stand apart there or in the sponsor’s name alone)`}.</p>
${strictNote !== undefined && html`<p>${strictNote}</p>`}
${respelt.length > 0 && html`<p>${joined(respelt.map(({ from, to }) => html`“<bdi>${from}</bdi>” was read as “<bdi>${to}</bdi>”`))}.</p>`}
${leftOut.length > 0 && html`<p>Not asked for: ${joined(leftOut.map((word) => html`<bdi>${word}</bdi>`))}.</p>`}</div>`;
}

export function trials(number: number): string {
  return number === 1 ? '1 trial' : `${count(number)} trials`;
}

/** Why a trial is in an answer by concepts. */
export function grounds(matchedBy: readonly MatchGroundRecord[] | undefined): Html | false {
  if (matchedBy === undefined || matchedBy.length === 0) return false;
  return html`<p>Matched: ${joined(matchedBy.map(ground), '; ')}.</p>`;
}

function ground({ words, heading, source, via, term }: MatchGroundRecord): Html {
  const means = heading !== null && source !== null && html` means <bdi>${heading}</bdi> (${SOURCE_NAMES[source]})`;
  return html`“<bdi>${words}</bdi>”${means}: ${viaWords(via, term)}`;
}

function viaWords(via: MatchGroundRecord['via'], term: string | null): Html {
  const shown = html`“<bdi>${term ?? ''}</bdi>”`;
  if (via === 'words')
    return term === null ? html`its text has the words themselves` : html`its text has ${shown} as words`;
  if (via === 'sponsor') return html`its sponsor’s name has the words`;
  if (via === 'registry-mesh') return html`its registry attached ${shown}`;
  if (via === 'registry-mesh-ancestor') return html`its registry attached ${shown}, which is narrower`;
  if (via === 'other-name') return html`its text has ${shown}, which records state as another name`;
  return html`its text has ${shown}, a name by ${SOURCE_NAMES[via]}`;
}

/** Links that find more: a near spelling, a word or filter less. */
export function wayOut(meta: MatchMeta, address: URLSearchParams): Html | false {
  const { fewResults } = meta;
  if (fewResults === undefined) return false;
  const [spellings, unknown] = [spellingLinks(fewResults, address), unknownWords(fewResults)];
  const less = withoutLinks(fewResults, address);
  const rather = ratherLink(fewResults, address);
  if (rather === false && spellings.length + less.length + unknown.length === 0) return false;
  return html`<div class="notice" role="note"><h3>What finds more</h3>
${rather}
${spellings.length > 0 && html`<p>Near spellings: ${joined(spellings)}.</p>`}
${unknown.length > 0 && html`<p>No trial has ${joined(unknown)}, and no known word is near.</p>`}
${less.length > 0 && html`<ul>${less.map((one) => html`<li>${one}</li>`)}</ul>`}</div>`;
}

/** A word as the answer cuts it out of the text. */
const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu;

function spellingLinks({ spelling }: FewResultsRecord, address: URLSearchParams): Html[] {
  return spelling.flatMap(({ parameter, word, nearest }) =>
    nearest.map((near) => {
      const value = (address.get(parameter) ?? '').replaceAll(WORD, (one) => (one === word ? near.word : one));
      return html`<a href="${addressWith('/trials', address, { [parameter]: value })}"><bdi>${near.word}</bdi></a> for “<bdi>${word}</bdi>” (in ${trials(near.trials)} by itself)`;
    }),
  );
}

function unknownWords({ spelling }: FewResultsRecord): Html[] {
  return spelling.filter(({ nearest }) => nearest.length === 0).map(({ word }) => html`“<bdi>${word}</bdi>”`);
}

/** The question that the answer suggests, in words. */
function ratherLink({ rather }: FewResultsRecord, address: URLSearchParams): Html | false {
  if (rather === undefined) return false;
  const { q, dropped, total } = rather;
  const filters = rather.filters as Record<string, string>;
  const said = Object.entries(filters).map(
    ([name, value]) => html`${FILTER_TITLES[name as TrialFilter]}: <bdi>${named(value)}</bdi>`,
  );
  const parts = [...(q === null ? [] : [html`“<bdi>${q}</bdi>”`]), ...said];
  return html`<p>Perhaps: <a href="${addressWith('/trials', address, { ...filters, q: q ?? '' })}">${joined(parts)}</a> (${trials(total)})${dropped.length > 0 && html`, without ${joined(dropped.map((word) => html`“<bdi>${word}</bdi>”`))}`}.</p>`;
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
        : html`${FILTER_TITLES[parameter as TrialFilter]}: <bdi>${dropped}</bdi>`;
      return html`<a href="${addressWith('/trials', address, { [parameter]: rest })}">Without ${what}</a>: ${trials(found)}`;
    });
}

/** Shown where q is an identifier that leads nowhere; `idLookup` of the search page names the trials of any other. */
export function unheldNote({ identifier }: MatchMeta): Html | false {
  if (identifier === undefined || identifier.total > 0) return false;
  return html`<p class="notice" role="note"><bdi>${identifier.value}</bdi> is an identifier (${identifier.type}), and no trial of this index has it or states it.</p>`;
}
