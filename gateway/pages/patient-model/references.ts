import type { OperationOutput } from '../../../contract/operation.ts';
import type { getPatientModel } from '../../../contract/operations/twin-patient-model.ts';
import type { CurrentReferences, PatientReference } from '../../../contract/schemas/patient-model.ts';
import { type Html, html } from '../html.ts';
import { facts, instant } from '../parts.ts';

type Branch = OperationOutput<typeof getPatientModel>['branches'][number];

const PUBMED = 'https://pubmed.ncbi.nlm.nih.gov';
const DOI = 'https://doi.org';

/** Each branch, its end points, and what its references do not show. */
export function branchSection(branches: readonly Branch[], current: CurrentReferences): Html {
  const years = new Map(current.references.map(({ id, publicationYear }) => [id, publicationYear]));
  const links = (ids: readonly string[]): Html | string =>
    ids.length === 0
      ? 'none'
      : html`${ids.map((id, place) => html`${place > 0 && ', '}<a href="#${anchorOf(id)}">${id}</a> (${years.get(id)})`)}`;
  return html`<section aria-labelledby="branches">
<h2 id="branches">Branches</h2>
${branches.map(({ id, title, idea, failsIf }) => {
  const sources = current.branches.find((branch) => branch.id === id);
  return html`<h3>${title}</h3>
${facts([
  ['Branch', html`<code>${id}</code>`],
  ['Idea', idea],
  ['Fails if', failsIf],
  ['References', links(sources?.references ?? [])],
  ['To compare with', links(sources?.comparators ?? [])],
  ['What they do not show', sources?.note ?? 'not stated'],
])}`;
})}
</section>`;
}

/** The dated references, each with its sources, and how to use them. */
export function referenceSection(current: CurrentReferences): Html {
  const { id, scope, reviewedOn, nextReviewOn, references, referencePolicy: policy } = current;
  return html`<section aria-labelledby="references">
<h2 id="references">References (${references.length})</h2>
<p>${scope}</p>
${facts([
  ['Snapshot', html`<code>${id}</code>`],
  ['Reviewed on', instant(reviewedOn)],
  ['Next review', instant(nextReviewOn)],
  ['Refreshed by itself', policy.notAutomaticallyRefreshed ? 'no' : 'yes'],
  ['To be refreshed before use', policy.refreshBeforeUse ? 'yes' : 'no'],
  ['Sources', policy.sources.join(', ')],
  [
    'Where to look for what is newer',
    html`<ul>${policy.endpoints.map((call) => html`<li><code>GET ${call}</code></li>`)}</ul>`,
  ],
  ['Rule', policy.rule],
])}
<ul class="cards">${references.map((reference) => html`<li id="${anchorOf(reference.id)}">${referenceCard(reference)}</li>`)}</ul>
</section>`;
}

function anchorOf(id: string): string {
  return `reference-${id}`;
}

function referenceCard(reference: PatientReference): Html {
  const { id, title, publicationYear, sourceLevel, finding, immuneContext, use, unresolved, branches } = reference;
  return html`<h3>${title}</h3>
<p>${reference.reference}, ${publicationYear}. ${sourceLevel}. <code>${id}</code></p>
${facts([
  ['Finding', finding],
  ['Immune context', immuneContext],
  ['Used here for', use],
  ['Unresolved', unresolved],
  ['Branches', branches.length === 0 ? 'none: it is about a measurement or the natural course' : branches.join(', ')],
  ['Sources', sources(reference)],
])}`;
}

/** Only confirmed identifiers are shown. */
function sources({ pmid, doi, url, supportingUrl }: PatientReference): Html | string {
  const fromIds = [
    ...(pmid === undefined ? [] : [[`${PUBMED}/${pmid}/`, `PMID ${pmid}`] as const]),
    ...(doi === undefined ? [] : [[`${DOI}/${doi}`, `doi ${doi}`] as const]),
  ];
  const addresses = new Set<string>(fromIds.map(([address]) => address));
  const others = [url, supportingUrl].filter((address) => address !== undefined && !addresses.has(address));
  const all = [...fromIds, ...others.map((address) => [address!, address!] as const)];
  return all.length === 0
    ? 'no identifier was confirmed'
    : html`${all.map(([address, words], place) => html`${place > 0 && ', '}<a href="${address}">${words}</a>`)}`;
}
