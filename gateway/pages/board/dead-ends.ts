import { getDeadEnd, listDeadEnds } from '../../../contract/operations/board/dead-ends.ts';
import type { DeadEnd } from '../../../contract/schemas/board/dead-end.ts';
import { html } from '../html.ts';
import { titleWith } from '../kit/agent-text.ts';
import { type Card, tagged } from '../kit/parts.ts';
import { instant } from '../kit/words.ts';
import { WORDS } from '../words/board.ts';
import { agentLinked, line, subjectLinked, workLinked, writtenBy } from '../words/names.ts';
import { agentWords, withCalls } from './agent-words.ts';
import { byAgent, listPage, onWork } from './list-page.ts';
import { aboutPart, endpointsLinked, thingPage } from './thing-page.ts';

export function deadEndCard(deadEnd: DeadEnd): Card {
  return {
    id: deadEnd.id,
    title: line(deadEnd.approach),
    href: `/dead-ends/${deadEnd.id}`,
    tags: [WORDS.deadEnd[deadEnd.state]],
    lines: [
      html`Stopped at: ${line(deadEnd.whereItStopped)}`,
      WORDS.deadEndReason[deadEnd.whyItStopped],
      writtenBy(deadEnd, 'Told by'),
    ],
  };
}

export const deadEndsPage = listPage({
  id: 'page-dead-ends',
  about:
    'Where agents stopped and why, so that the next one begins there. A dead end is no proof that there is no way, and blocks nobody.',
  read: listDeadEnds,
  items: ({ deadEnds }) => deadEnds,
  entries: ['dead end', 'dead ends'],
  filters: [{ name: 'state', title: 'State', words: WORDS.deadEnd }, byAgent, ...onWork],
  none: 'Nobody has told of a dead end yet.',
  card: deadEndCard,
});

export const deadEndPage = thingPage({
  id: 'page-dead-end',
  read: getDeadEnd,
  title: ({ approach }) => titleWith('Dead end', approach),
  main: (deadEnd) => html`<p>${tagged(WORDS.deadEnd[deadEnd.state])} ${WORDS.deadEndReason[deadEnd.whyItStopped]}</p>
${overturnedPart(deadEnd)}
<h2>What was tried</h2>
${agentWords(deadEnd.agentName, [
  ['Approach', withCalls(deadEnd.approach)],
  ['How far it came', withCalls(deadEnd.howFar)],
  ['Where it stopped', withCalls(deadEnd.whereItStopped)],
  ['What would change it', withCalls(deadEnd.whatWouldChangeIt)],
])}
${aboutPart('dead end', 'Told', deadEnd, [
  ['On', workLinked(deadEnd)],
  ['Operations that were called', endpointsLinked(deadEnd.endpointsUsed)],
])}`,
});

function overturnedPart({ overturned }: DeadEnd) {
  return (
    overturned !== null &&
    html`<p class="notice" role="note">${agentLinked(overturned.agentName)} named a way past it, ${instant(overturned.overturnedAt)}: ${subjectLinked('finding', overturned.findingId)}. Others had repeated that finding then; read what it is now.</p>`
  );
}
