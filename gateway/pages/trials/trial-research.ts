import { httpInput } from '../../../contract/arguments.ts';
import { getTrialRelatedResearch } from '../../../contract/operations/trials.ts';
import type { RelatedResearch } from '../../../contract/schemas/related.ts';
import type { TrialRecord } from '../../../contract/schemas/trial.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { table } from '../kit/table.ts';
import { code, instant } from '../kit/words.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { cut, doiAddress, leftOut, outside, pubmedAddress, trialAddress } from './words.ts';

const ROWS_MAX = 30;
const CITATION_MAX_CHARACTERS = 400;
const SOURCE_NAMES = { pubmed: 'PubMed', europepmc: 'Europe PMC' } as const;

type Related = Answered<RelatedResearch> | FailedRead;
type Publication = NonNullable<RelatedResearch['registryDeclared']['publications']>[number];
type Paper = NonNullable<RelatedResearch['literature']['records']>[number];
type Mention = NonNullable<RelatedResearch['crossRegistryMentions']['mentions']>[number];
type SourceReport = RelatedResearch['literature']['sources'][number];

/** Publications listed by the registries, and results from the literature if the reader asked for them. */
export function research({ canonicalId }: TrialRecord, related: Related, asksLiterature: boolean): Html {
  return html`<section aria-labelledby="publications"><h2 id="publications">Publications that the registries list</h2>
<p>Each is listed by a registration. Publications never merge or count trials.</p>
${related instanceof FailedRead ? failedPart('The list of publications', related) : publications(related.data)}</section>
<section aria-labelledby="literature"><h2 id="literature">What the literature says</h2>
${asksLiterature ? asked(related) : notAsked(canonicalId)}</section>`;
}

function publications({ registryDeclared: { state, publications: all } }: RelatedResearch): Html {
  if (all === null)
    return html`<p class="failed"><strong>The tables did not answer (${state}).</strong> It is unknown which publications the registries list; there may be some.</p>`;
  if (all.length === 0) return html`<p>The registrations list none.</p>`;
  return html`${table('Publications by registration', all.slice(0, ROWS_MAX), [
    { head: 'Citation', cell: citation },
    {
      head: 'Kind',
      cell: ({ kind, kindRaw }) =>
        html`${kind}${kindRaw !== null && kindRaw.toLowerCase() !== kind && html` <span class="soft">(raw: ${kindRaw})</span>`}`,
    },
    { head: 'Year', cell: ({ year }) => year ?? 'not stated' },
    { head: 'Paper', cell: paperLinks },
    { head: 'Listed by', cell: ({ registration }) => code(registration) },
  ])}${leftOut(ROWS_MAX, all.length)}`;
}

function citation({ citation: words, url, retracted }: Publication): Html {
  const shown = words === null ? 'No citation is stated' : cut(words, CITATION_MAX_CHARACTERS);
  return html`${retracted && html`<strong class="bad">Retracted. </strong>`}<bdi>${url === null ? shown : outside(url, shown)}</bdi>`;
}

function paperLinks({ pmid, doi }: Pick<Publication, 'pmid' | 'doi'>): Html {
  if (pmid === null && doi === null) return html`<span class="soft">no id</span>`;
  return html`${pmid !== null && outside(pubmedAddress(pmid), `PMID ${pmid}`)}${pmid !== null && doi !== null && ', '}${doi !== null && outside(doiAddress(doi), `doi:${doi}`)}`;
}

function notAsked(canonicalId: string): Html {
  return html`<p>Not asked yet. A paper that names an identifier of this trial mentions it, but need not report its results.</p>
<p><a href="${trialAddress(canonicalId)}?literature=true#literature" rel="nofollow">Ask PubMed and Europe PMC now</a> (takes some seconds), or over the API: <code>${httpInput(getTrialRelatedResearch, { id: canonicalId }).path}</code></p>`;
}

function asked(related: Related): Html {
  if (related instanceof FailedRead) return failedPart('The literature', related);
  const { literature, crossRegistryMentions: crossref } = related.data;
  return html`<p>${literature.note}</p>
${literature.sources.length > 0 && html`<ul>${literature.sources.map(report)}</ul>`}
<p class="soft">Asked for: ${literature.identifiersAsked.join(', ') || 'nothing'}. Left out: ${literature.identifiersLeftOut.join(', ') || 'nothing'}.</p>
${papers(literature.records)}
<h3>Other registrations that these papers name</h3>
${mentions(crossref.mentions)}`;
}

function report({ source, state, reason, unanswered, beyondLimit, cachedAt }: SourceReport): Html {
  const name = SOURCE_NAMES[source];
  if (state === 'not_asked') return html`<li>${name} was not asked${reason !== null && `: ${reason}`}.</li>`;
  if (state === 'unanswered') {
    return html`<li><strong>${name} gave no answer</strong>${reason !== null && ` (${reason})`} for ${unanswered.join(', ') || 'any identifier'}: unknown, not none.</li>`;
  }
  const more = beyondLimit === null ? 'how many more it has is not known' : `${beyondLimit} more there`;
  return html`<li>${name} answered${cachedAt !== null && html` at ${instant(cachedAt)}`}; ${more}.</li>`;
}

function papers(records: readonly Paper[] | null): Html {
  if (records === null) return html`<p><strong>Unknown.</strong> No source gave a list; there may be papers.</p>`;
  if (records.length === 0) return html`<p>Every source answered, and none names an identifier of this trial.</p>`;
  return html`${table('Papers that name an identifier of this trial', records.slice(0, ROWS_MAX), [
    {
      head: 'Title',
      cell: ({ title, retracted }) =>
        html`${retracted && html`<strong class="bad">Retracted. </strong>`}<bdi>${cut(title, CITATION_MAX_CHARACTERS)}</bdi>`,
    },
    { head: 'Paper', cell: paperLinks },
    {
      head: 'Journal',
      cell: ({ journal, isPreprint }) => html`<bdi>${journal ?? 'not stated'}</bdi>${isPreprint && ' (preprint)'}`,
    },
    { head: 'Year', cell: ({ year }) => year ?? 'not stated' },
    {
      head: 'Found by',
      cell: ({ matchedIdentifier, matchedBy, source }) =>
        html`<code>${matchedIdentifier}</code> in ${matchedBy}, ${SOURCE_NAMES[source]}`,
    },
  ])}${leftOut(ROWS_MAX, records.length)}`;
}

function mentions(all: readonly Mention[] | null): Html {
  if (all === null) return html`<p><strong>Not known.</strong></p>`;
  if (all.length === 0) return html`<p>None.</p>`;
  return html`${table('Identifiers that these papers name beside those of this trial', all.slice(0, ROWS_MAX), [
    { head: 'Identifier', cell: ({ id, suspect }) => html`<code>${id}</code>${suspect && ' (suspect)'}` },
    {
      head: 'In the index',
      cell: ({ canonicalId }) =>
        canonicalId === null
          ? 'no: a mention, never counted'
          : html`yes, in <a href="${trialAddress(canonicalId)}"><code>${canonicalId}</code></a>`,
    },
    { head: 'Named by', cell: ({ papers: by }) => by.join(', ') },
  ])}${leftOut(ROWS_MAX, all.length)}`;
}
