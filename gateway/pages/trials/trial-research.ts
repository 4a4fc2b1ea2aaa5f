import { httpInput } from '../../../contract/interfaces/arguments.ts';
import { getTrialRelatedResearch } from '../../../contract/operations/trials/trials.ts';
import { LITERATURE_SOURCE_NAMES, type RelatedResearch } from '../../../contract/schemas/trials/related.ts';
import type { TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { table } from '../kit/parts.ts';
import { instant, joined, several } from '../kit/words.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { doiAddress, outside, pubmedAddress, trialAddress } from '../words/trials.ts';
import { type Extent, openIn } from './extent.ts';

type Related = Answered<RelatedResearch> | FailedRead;
type Publication = NonNullable<RelatedResearch['registryDeclared']['publications']>[number];
type Paper = NonNullable<RelatedResearch['literature']['records']>[number];
type Mention = NonNullable<RelatedResearch['crossRegistryMentions']['mentions']>[number];
type SourceReport = RelatedResearch['literature']['sources'][number];

const KINDS: Record<Publication['kind'], string> = {
  results: 'Results',
  background: 'Background',
  derived: 'Added by the registry from the literature',
  protocol: 'Protocol',
  other: 'Other',
};

/** Publications that the registries list. */
export function declared(related: Related, extent: Extent): Html {
  return html`<p>Publications never merge or count trials, and a paper that is listed need not report results.</p>
${related instanceof FailedRead ? failedPart('The list of publications', related) : publications(related.data, extent)}`;
}

function publications({ registryDeclared: { publications: all } }: RelatedResearch, extent: Extent): Html {
  if (all === null)
    return html`<p class="failed"><strong>The list could not be read.</strong> It is unknown which publications the registries list; there may be some.</p>`;
  if (all.length === 0) return html`<p>The registrations list none.</p>`;
  return html`<details${openIn(extent)}><summary>${several(all.length, 'publication', 'publications')} by registration</summary>
${table('Publications by registration', extent.of(all), [
  ['Citation', (one) => citation(one, extent)],
  [
    'Kind',
    ({ kind, kindRaw }) =>
      html`${KINDS[kind]}${kindRaw !== null && kindRaw.toLowerCase() !== kind && html` <span class="soft">(in its own words: ${kindRaw})</span>`}`,
  ],
  ['Year', ({ year }) => year ?? 'not stated'],
  ['Paper', paperLinks],
  ['Listed by', ({ registration }) => html`<code>${registration}</code>`],
])}</details>`;
}

function citation({ citation: words, url, retracted }: Publication, extent: Extent): Html {
  const shown = words === null ? 'No citation is stated' : extent.text(words);
  return html`${retracted && html`<strong class="bad">Retracted. </strong>`}<bdi>${url === null ? shown : outside(url, shown)}</bdi>`;
}

/** A paper at PubMed and by its DOI. */
export function paperLinks({ pmid, doi }: Pick<Publication, 'pmid' | 'doi'>): Html {
  if (pmid === null && doi === null) return html`<span class="soft">no id</span>`;
  return html`${pmid !== null && outside(pubmedAddress(pmid), `PMID ${pmid}`)}${pmid !== null && doi !== null && ', '}${doi !== null && outside(doiAddress(doi), `doi:${doi}`)}`;
}

/** What the literature says, if the reader asked for it. */
export function literature(trial: TrialRecord, asked: boolean, related: Related): Html {
  if (!(related instanceof FailedRead) && related.data.literature.state === 'unavailable') return notRead(trial);
  return asked ? answers(related) : notAsked(trial.canonicalId);
}

/** Where a reader can look who is on a deployment that asks no source. */
function notRead({ registrations }: TrialRecord): Html {
  const searches = registrations.map(({ id }) =>
    outside(`https://pubmed.ncbi.nlm.nih.gov/?term=${id}`, `PubMed for ${id}`),
  );
  return html`<p>This deployment does not read a literature index, so that nothing is known here of what papers say; that is not the same as none. Search ${joined(searches, ' and ')} yourself.</p>`;
}

function notAsked(canonicalId: string): Html {
  return html`<p>Not asked yet. A paper that names an identifier of this trial mentions it, but need not report its results.</p>
<p><a href="${trialAddress(canonicalId)}?literature=true#literature" rel="nofollow">Ask PubMed and Europe PMC now</a> (takes some seconds), or over the API: <code>${httpInput(getTrialRelatedResearch, { id: canonicalId }).path}</code></p>`;
}

function answers(related: Related): Html {
  if (related instanceof FailedRead) return failedPart('The literature', related);
  const { literature: found, crossRegistryMentions: crossref } = related.data;
  return html`<p>${found.note}</p>
${found.sources.length > 0 && html`<ul>${found.sources.map(report)}</ul>`}
<p class="soft">Asked for: ${found.identifiersAsked.join(', ') || 'nothing'}. Left out: ${found.identifiersLeftOut.join(', ') || 'nothing'}.</p>
${papers(found.records)}
<h3>Other registrations that these papers name</h3>
${mentions(crossref.mentions)}`;
}

function report({ source, state, reason, unanswered, beyondLimit, cachedAt }: SourceReport): Html {
  const name = LITERATURE_SOURCE_NAMES[source];
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
  return table('Papers that name an identifier of this trial', records, [
    [
      'Title',
      ({ title, retracted }) => html`${retracted && html`<strong class="bad">Retracted. </strong>`}<bdi>${title}</bdi>`,
    ],
    ['Paper', paperLinks],
    ['Journal', ({ journal, isPreprint }) => html`<bdi>${journal ?? 'not stated'}</bdi>${isPreprint && ' (preprint)'}`],
    ['Year', ({ year }) => year ?? 'not stated'],
    [
      'Found by',
      ({ matchedIdentifier, matchedBy, source }) =>
        html`<code>${matchedIdentifier}</code> in ${matchedBy}, ${LITERATURE_SOURCE_NAMES[source]}`,
    ],
  ]);
}

function mentions(all: readonly Mention[] | null): Html {
  if (all === null) return html`<p><strong>Not known.</strong></p>`;
  if (all.length === 0) return html`<p>None.</p>`;
  return table('Identifiers that these papers name beside those of this trial', all, [
    ['Identifier', ({ id, suspect }) => html`<code>${id}</code>${suspect && ' (suspect)'}`],
    [
      'Record',
      ({ canonicalId }) =>
        canonicalId === null
          ? 'not held: a mention, never counted'
          : html`held, in <a href="${trialAddress(canonicalId)}"><code>${canonicalId}</code></a>`,
    ],
    ['Named by', ({ papers: by }) => by.join(', ')],
  ]);
}
