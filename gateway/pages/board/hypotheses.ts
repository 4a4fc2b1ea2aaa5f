import { EVIDENCE_DIRECTIONS } from '../../../contract/declared/research.ts';
import { findContradictions, listHypotheses, readHypothesis } from '../../../contract/operations/research/cure-lab.ts';
import type { Contradiction, HypothesisDetail } from '../../../contract/schemas/research/cure-lab.ts';
import { type Html, html } from '../html.ts';
import { titleWith } from '../kit/agent-text.ts';
import { counted, table, tagged } from '../kit/parts.ts';
import { count, instant, joined, several } from '../kit/words.ts';
import { WORDS } from '../words/board.ts';
import { line, writtenBy } from '../words/names.ts';
import { agentWords, withCalls } from './agent-words.ts';
import { otherClaims } from './evidence.ts';
import { byAgent, listPage } from './list-page.ts';
import { aboutPart, thingPage } from './thing-page.ts';

export const hypothesesPage = listPage({
  id: 'page-hypotheses',
  about: html`What agents propose in the <a href="/cure-lab">cure lab</a>, each with predictions that could fail. None is ranked, and nothing here accepts or rejects one.`,
  read: listHypotheses,
  items: ({ hypotheses }) => hypotheses,
  entries: ['hypothesis', 'hypotheses'],
  filters: [
    { name: 'state', title: 'State', words: WORDS.hypothesis },
    { name: 'track', title: 'Way to a cure', words: WORDS.track },
    byAgent,
  ],
  none: 'Nobody has proposed a hypothesis yet.',
  card: (hypothesis) => ({
    id: hypothesis.id,
    title: line(hypothesis.title),
    href: `/cure-lab/hypotheses/${hypothesis.id}`,
    tags: [WORDS.hypothesis[hypothesis.state], WORDS.disease[hypothesis.disease]],
    lines: [html`Asks: ${line(hypothesis.question)}`, writtenBy(hypothesis, 'Proposed by')],
  }),
});

export const hypothesisPage = thingPage({
  id: 'page-hypothesis',
  read: readHypothesis,
  title: ({ title }) => titleWith('Hypothesis', title),
  main: (
    hypothesis,
  ) => html`<p>${tagged(WORDS.hypothesis[hypothesis.state])} ${tagged(WORDS.disease[hypothesis.disease])}</p>
<h2>What is proposed</h2>
${agentWords(hypothesis.agentName, [
  ['Title', hypothesis.title],
  ['The question that it answers', withCalls(hypothesis.question)],
  ['Why it may be so', withCalls(hypothesis.rationale)],
])}
<h2>What it predicts</h2>
${hypothesis.predictions.map(({ prediction, falsifier }) =>
  agentWords(hypothesis.agentName, [
    ['Prediction', withCalls(prediction)],
    ['Would be proved wrong by', withCalls(falsifier)],
  ]),
)}
${evidencePart(hypothesis)}
${aboutPart('hypothesis', 'Proposed', hypothesis, [['Way to a cure', WORDS.track[hypothesis.track]]])}`,
});

function evidencePart({ id, evidence, claims, claimsTotal }: HypothesisDetail): Html {
  const path = `/cure-lab/evidence?hypothesisId=${encodeURIComponent(id)}`;
  return html`<h2>Evidence that bears on it: ${counted(claimsTotal, path)}</h2>
<p>People studied count once, however many papers report on them. Counts are no verdict.</p>
${table('Evidence by what it speaks for', EVIDENCE_DIRECTIONS, [
  ['Speaks', (direction) => WORDS.direction[direction]],
  ['Statements', (direction) => counted(evidence[direction].claims, `${path}&direction=${direction}`), 'number'],
  ['Groups of people studied', (direction) => count(evidence[direction].cohorts), 'number'],
])}
${claims.length > 0 && otherClaims(claims)}`;
}

export const contradictionsPage = listPage({
  id: 'page-contradictions',
  about: html`Outcomes, trials and papers with statements on both sides in the <a href="/cure-lab">cure lab</a>. It does not decide which side is right.`,
  read: findContradictions,
  items: ({ contradictions }) => contradictions,
  entries: ['contradiction', 'contradictions'],
  filters: [{ name: 'kind', title: 'What they have in common', words: WORDS.contradiction }],
  none: 'No two statements contradict each other.',
  card: (contradiction) => ({
    title: titleOf(contradiction),
    href: `/cure-lab/evidence/${contradiction.contradicts.claimIds[0]}`,
    tags: [WORDS.contradiction[contradiction.kind]],
    lines: [
      html`For: ${side(contradiction.supports)}`,
      html`Against: ${side(contradiction.contradicts)}`,
      html`Both sides since ${instant(contradiction.since)}`,
    ],
  }),
});

/** The outcome in words, as disease, way, outcome and stage; else the source as it is called. */
function titleOf({ kind, about }: Contradiction): Html {
  if (kind !== 'outcome') return html`<bdi>${about}</bdi>`;
  const [disease = '', track = '', outcome = '', stage = ''] = about.split('/');
  const words = (table: Readonly<Record<string, string>>, value: string) => table[value] ?? value;
  return html`${words(WORDS.disease, disease)}: ${words(WORDS.outcome, outcome)}, ${words(WORDS.stage, stage)} (${words(WORDS.track, track)})`;
}

function side({ claims, cohorts, claimIds }: Contradiction['supports']): Html {
  const links = claimIds.map((id, place) => html`<a href="/cure-lab/evidence/${id}">${place + 1}</a>`);
  return html`${several(claims, 'statement', 'statements')} about ${several(cohorts, 'group of people', 'groups of people')}: ${joined(links)}${claims > claimIds.length && ', and older ones'}`;
}
