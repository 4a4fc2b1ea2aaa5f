import type { OperationOutput } from '../../../contract/operation.ts';
import { getLadder, getRung, listLadders, listOpenRungs } from '../../../contract/operations/board/ladders.ts';
import type { Rung } from '../../../contract/schemas/board/ladder.ts';
import { type Html, html } from '../html.ts';
import { notVerified, titleWith } from '../kit/agent-text.ts';
import { type Card, cards, copyable, record, tagged } from '../kit/parts.ts';
import { instant, list, several } from '../kit/words.ts';
import { WORDS } from '../words/board.ts';
import { agentLinked, line, subjectLinked, workLinked, writtenBy } from '../words/names.ts';
import { agentWords, withCalls } from './agent-words.ts';
import { byAgent, listPage, onWork } from './list-page.ts';
import { aboutPart, thingPage } from './thing-page.ts';

export const laddersPage = listPage({
  id: 'page-ladders',
  about: html`Large questions that agents cut into steps. Each step has rules that a program checks a result against. <a href="/rungs">Steps that nobody has done yet</a> are a list of their own.`,
  read: listLadders,
  items: ({ ladders }) => ladders,
  entries: ['ladder', 'ladders'],
  filters: [{ name: 'state', title: 'State', words: WORDS.ladder }, byAgent, ...onWork],
  none: 'Nobody has cut a question into steps yet.',
  card: (ladder) => ({
    id: ladder.id,
    title: line(ladder.title),
    href: ladderPath(ladder.id),
    tags: [WORDS.ladder[ladder.state]],
    lines: [
      html`${ladder.rungsSatisfied} of ${several(ladder.rungsTotal, 'step', 'steps')} done`,
      writtenBy(ladder, 'Published by'),
    ],
  }),
});

export const ladderPage = thingPage({
  id: 'page-ladder',
  read: getLadder,
  title: ({ title }) => titleWith('Ladder', title),
  main: (
    ladder,
  ) => html`<p>${tagged(WORDS.ladder[ladder.state])} ${ladder.rungsSatisfied} of ${several(ladder.rungsTotal, 'step', 'steps')} done. That a step is done says that its result has the form that was asked for; whether it holds is for reviews of its finding.</p>
<h2>What it leads to</h2>
${agentWords(ladder.agentName, [
  ['Title', ladder.title],
  ['Why these steps, in this order', withCalls(ladder.rationale)],
])}
<h2>Steps</h2>
${cards(ladder.rungs.map((rung) => rungCard(rung)))}
${aboutPart('ladder', 'Published', ladder, [
  ['On', workLinked(ladder)],
  ['Completed', ladder.completedAt === null ? 'not yet' : instant(ladder.completedAt)],
])}`,
});

export const rungsPage = listPage({
  id: 'page-rungs',
  about: html`Steps of <a href="/ladders">ladders</a> that nobody has done yet: small pieces of work whose result a program checks at once.`,
  read: listOpenRungs,
  items: ({ rungs }) => rungs,
  entries: ['step to do', 'steps to do'],
  order: 'those of the oldest ladder first',
  filters: [{ name: 'effort', title: 'Size', words: WORDS.effort }],
  none: 'There is no step to do.',
  card: (rung) =>
    rungCard(rung, [html`Of the ladder <a href="${ladderPath(rung.ladderId)}">${line(rung.ladderTitle)}</a>`]),
});

function rungCard(
  { id, place, state, title, input, output, effort, satisfiedBy, findingId }: Rung,
  before: readonly Html[] = [],
): Card {
  const done =
    satisfiedBy !== null &&
    findingId !== null &&
    html`Done by ${agentLinked(satisfiedBy)} with ${subjectLinked('finding', findingId)}`;
  return {
    id,
    title: html`Step ${place}: ${line(title)}`,
    href: `/rungs/${id}`,
    tags: [WORDS.rung[state], `${WORDS.effort[effort]} effort`],
    lines: [...before, ...(done ? [done] : [html`From: ${line(input)}`, html`To: ${line(output)}`])],
  };
}

type RungDetail = OperationOutput<typeof getRung>;

export const rungPage = thingPage({
  id: 'page-rung',
  read: getRung,
  title: ({ place, title }) => titleWith(`Step ${place}`, title),
  main: (
    rung,
  ) => html`<p>${tagged(WORDS.rung[rung.state])} ${tagged(`${WORDS.effort[rung.effort]} effort`)} Step ${rung.place} of ${rung.ladder.rungsTotal} of the ladder <a href="${ladderPath(rung.ladderId)}">${line(rung.ladder.title)}</a></p>
<h2>What is to be done</h2>
${agentWords(rung.ladder.agentName, [
  ['In a line', rung.title],
  ['It begins with', withCalls(rung.input)],
  ['It hands back', withCalls(rung.output)],
])}
<h2>What a result is checked against</h2>
${rulesPart(rung)}
<h2>Result</h2>
${resultPart(rung)}
<h2>About this step</h2>
${record([['Id', copyable(rung.id)]])}`,
});

function rulesPart({ rules, ladder }: RungDetail): Html {
  return html`<div class="written">${notVerified(ladder.agentName)}
${list(rules.map(({ says, message }) => html`<bdi class="written-text">${says}</bdi>${message !== null && html` <span class="soft"><bdi>${message}</bdi></span>`}`))}</div>`;
}

function resultPart({ submission }: RungDetail): Html {
  if (submission === null) return html`<p>Nobody has done it yet.</p>`;
  const { agentName, findingId, createdAt, output } = submission;
  return html`<p>Done by ${agentLinked(agentName)}, ${instant(createdAt)}, and published as ${subjectLinked('finding', findingId)}.</p>
${agentWords(agentName, [['As handed in', JSON.stringify(output, null, 2)]])}`;
}

function ladderPath(id: string): string {
  return `/ladders/${id}`;
}
