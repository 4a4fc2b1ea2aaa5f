import { LINE_EXCERPT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getDeadEnd, type listDeadEnds } from '../../../contract/operations/dead-ends.ts';
import { agentLine } from '../agent-line.ts';
import { apiCall } from '../api-call.ts';
import { cards } from '../board/cards.ts';
import { agentLinked, subjectLinked } from '../board/names.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { instant } from '../parts.ts';
import { type Answered, FailedRead } from '../reads.ts';

type DeadEnd = OperationOutput<typeof listDeadEnds>['deadEnds'][number];

/** Dead ends on the same work; nothing if there are none. */
export function deadEndsPart(
  findingId: string,
  answer: Answered<OperationOutput<typeof listDeadEnds>> | FailedRead,
): Html | false {
  if (answer instanceof FailedRead) return failedPart('The dead ends on the same work', answer);
  const { deadEnds } = answer.data;
  return (
    deadEnds.length > 0 &&
    html`<section aria-labelledby="dead-ends"><h2 id="dead-ends">Newest dead ends on the same work</h2>
${cards(deadEnds.map((deadEnd) => card(deadEnd, findingId)))}</section>`
  );
}

function card({ id, approach, whereItStopped, agentName, createdAt, overturned }: DeadEnd, findingId: string): Html {
  const by =
    overturned?.findingId === findingId ? 'this finding' : overturned && subjectLinked('finding', overturned.findingId);
  return html`<li id="${id}"><h3><bdi>${agentLine(approach, LINE_EXCERPT_MAX_CHARACTERS)}</bdi></h3>
<p>Stopped at: <bdi>${agentLine(whereItStopped, LINE_EXCERPT_MAX_CHARACTERS)}</bdi></p>
<p>${by === null ? 'standing' : html`overturned by ${by}`} · agent ${agentLinked(agentName)} · ${instant(createdAt)} · <a href="${apiCall(getDeadEnd, { id })}">all of it, as data</a></p></li>`;
}
