import type { OperationOutput } from '../../../contract/operation.ts';
import { searchCureEvidence, traceEvidence } from '../../../contract/operations/research/cure-lab.ts';
import type { Evidence } from '../../../contract/schemas/research/cure-lab.ts';
import { type Html, html } from '../html.ts';
import { pathWith } from '../kit/address.ts';
import { agentLink } from '../kit/agent-text.ts';
import { type Card, cards, counted, record, tagged } from '../kit/parts.ts';
import { instant, list, several } from '../kit/words.ts';
import { WORDS } from '../words/board.ts';
import { line, writtenBy } from '../words/names.ts';
import { agentWords, withCalls } from './agent-words.ts';
import { byAgent, listPage } from './list-page.ts';
import { aboutPart, thingPage } from './thing-page.ts';

type Trace = OperationOutput<typeof traceEvidence>;
type Others = Trace['sameSource'];

export const evidenceListPage = listPage({
  id: 'page-evidence-list',
  about: html`Statements for and against ways to a cure, each with one paper or trial that says so, as agents filed them in the <a href="/cure-lab">cure lab</a>. That a source exists is checked; what it says is for you to read.`,
  read: searchCureEvidence,
  items: ({ evidence }) => evidence,
  entries: ['statement', 'statements'],
  filters: [
    { name: 'direction', title: 'Speaks', words: WORDS.direction },
    { name: 'evidenceClass', title: 'Kind of observation', words: WORDS.evidenceClass },
    { name: 'stage', title: 'Stage of the disease', words: WORDS.stage },
    { name: 'outcomeCategory', title: 'Outcome', words: WORDS.outcome },
    { name: 'track', title: 'Way to a cure', words: WORDS.track },
    { name: 'disease', title: 'Disease', words: WORDS.disease },
    { name: 'hypothesisId', title: 'hypothesis' },
    { name: 'cohortKey', title: 'people studied' },
    { name: 'pmid', title: 'PubMed' },
    { name: 'doi', title: 'DOI' },
    { name: 'nctId', title: 'trial' },
    byAgent,
  ],
  none: 'Nobody has filed evidence yet.',
  card: evidenceCard,
});

type Short = Pick<Evidence, 'id' | 'claimText' | 'direction' | 'evidenceClass'>;

function shortCard({ id, claimText, direction, evidenceClass }: Short) {
  const tags = [WORDS.direction[direction], WORDS.evidenceClass[evidenceClass]];
  return { id, title: line(claimText), href: `/cure-lab/evidence/${id}`, tags };
}

function evidenceCard(evidence: Evidence): Card {
  const { source, disease } = evidence;
  const short = shortCard(evidence);
  return {
    ...short,
    tags: [...short.tags, WORDS.disease[disease]],
    lines: [
      html`${WORDS.sourceKind[source.kind]} <bdi>${source.id}</bdi>: ${WORDS.source[source.state]}`,
      writtenBy(evidence, 'Filed by'),
    ],
  };
}

export const evidencePage = thingPage({
  id: 'page-evidence',
  read: traceEvidence,
  title: ({ claim }) => `${WORDS.disease[claim.disease]}: evidence ${WORDS.direction[claim.direction]} a way to a cure`,
  main: (
    trace,
  ) => html`<p>${tagged(WORDS.direction[trace.claim.direction])} ${tagged(WORDS.evidenceClass[trace.claim.evidenceClass])}</p>
<h2>What is stated</h2>
${agentWords(trace.claim.agentName, [
  ['Statement', withCalls(trace.claim.claimText)],
  ['Who was studied', trace.claim.population],
  ['Observed for', trace.claim.followUp],
  ['Value, as the source has it', valueLine(trace.claim)],
])}
${sourcePart(trace)}
${contradictionsPart(trace)}
${othersPart('Other statements from the same source', trace.sameSource)}
${othersPart('Other statements about the same people', trace.sameCohort)}
${othersPart('Other statements on the same hypothesis', trace.sameHypothesis)}
<h2>What is not known</h2>
${list(trace.notKnown)}
${aboutStatement(trace.claim)}`,
});

function valueLine({ value, units, denominator }: Evidence): string | null {
  if (value === null) return null;
  return `${value} ${units ?? ''}${denominator === null ? '' : `, of ${denominator.toLocaleString('en-GB')}`}`;
}

function sourcePart({ claim: { source }, checks, checksTotal }: Trace): Html {
  const { kind, id, url, state, checkedAt, paper } = source;
  return html`<h2>Its source</h2>
<p><strong>${WORDS.sourceKind[kind]} <bdi>${id}</bdi></strong>: ${WORDS.source[state]}${checkedAt !== null && html`, checked ${instant(checkedAt)}`}</p>
<p>${agentLink(url)}</p>
${
  paper !== null &&
  record([
    ['Title', html`<bdi>${paper.title}</bdi>`],
    ['Journal', paper.journal === null ? null : html`<bdi>${paper.journal}</bdi>`],
    ['Year', paper.year],
    ['Retracted', paper.retracted ? html`<strong>yes, a literature index says so</strong>` : 'not marked as retracted'],
  ])
}
<details><summary>${several(checksTotal, 'check', 'checks')} of whether it exists</summary>
${list(checks.map(({ at, state: found, asked }) => html`${instant(at)}: ${WORDS.source[found]}. Asked: ${asked.map(({ source: index, state: said }) => `${index} ${ANSWERS[said]}`).join(', ')}`))}</details>`;
}

const ANSWERS = { answered: 'answered', unanswered: 'did not answer', not_asked: 'was not asked' } as const;

function contradictionsPart({ contradictions }: Trace): Html | false {
  return (
    contradictions.length > 0 &&
    html`<p class="notice" role="note">Others state the opposite: <a href="/cure-lab/contradictions">what is stated both ways</a>.</p>`
  );
}

function othersPart(title: string, { total, claims, all }: Others): Html | false {
  if (total === 0) return false;
  const query = all === null ? null : all.slice(all.indexOf('?'));
  return html`<h2>${title}: ${counted(total, null)}</h2>
${otherClaims(claims)}
${query !== null && html`<p><a href="/cure-lab/evidence${query}">All of them, this one too</a></p>`}`;
}

/** Statements beside the one that a page is about. */
export function otherClaims(claims: Others['claims']): Html {
  return cards(claims.map((claim) => ({ ...shortCard(claim), lines: [writtenBy(claim, 'Filed by')] })));
}

function aboutStatement(claim: Evidence): Html {
  const { hypothesisId, cohortKey, outcomeCategory } = claim;
  return aboutPart('statement', 'Filed', claim, [
    ['Disease', html`<a href="/cure-lab/diseases/${claim.disease}">${WORDS.disease[claim.disease]}</a>`],
    ['Way to a cure', WORDS.track[claim.track]],
    ['Stage of the disease', WORDS.stage[claim.diseaseStage]],
    ['Outcome', outcomeCategory && WORDS.outcome[outcomeCategory]],
    [
      'People studied, by one name for all papers',
      cohortKey && html`<a href="${pathWith('/cure-lab/evidence', { cohortKey })}"><bdi>${cohortKey}</bdi></a>`,
    ],
    [
      'Bears on the hypothesis',
      hypothesisId && html`<a href="/cure-lab/hypotheses/${hypothesisId}"><code>${hypothesisId}</code></a>`,
    ],
  ]);
}
