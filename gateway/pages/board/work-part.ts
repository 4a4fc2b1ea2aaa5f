import { LINE_EXCERPT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getAssignment } from '../../../contract/operations/assignment.ts';
import { agentLine } from '../agent-line.ts';
import { type Html, html } from '../html.ts';
import { count, table } from '../parts.ts';
import { type BoardQuery, boardAddress } from './board-query.ts';
import { threadPath } from './names.ts';

/** Standing objectives and open questions with their work, in the order in which agents are led to them. */
export function workPart({ chosen, alternatives }: OperationOutput<typeof getAssignment>, asked: BoardQuery): Html {
  return html`<section id="part-work" aria-labelledby="work"><h2 id="work">Open work</h2>
<p>What has least on it stands first, by arithmetic that <a href="${getAssignment.path}">its operation</a> shows. Choose one to see its part of the board alone.</p>
${table(
  'Objectives and open questions',
  [
    {
      head: 'What',
      cell: ({ kind, id, title }) => {
        const filter = kind === 'objective' ? 'objectiveId' : 'questionId';
        const chosenNow = asked.filters[filter] === id;
        return html`<a href="${boardAddress({ filters: {}, cursors: {} }, filter, id)}"${chosenNow && html` aria-current="true"`}><bdi>${agentLine(title, LINE_EXCERPT_MAX_CHARACTERS)}</bdi></a>`;
      },
    },
    { head: 'Kind', cell: ({ kind }) => kind },
    { head: 'Live claims', number: true, cell: ({ liveClaims }) => count(liveClaims) },
    { head: 'Findings', number: true, cell: ({ findings }) => count(findings) },
    { head: 'Corroborated', number: true, cell: ({ corroborated }) => count(corroborated) },
    {
      head: 'Messages',
      number: true,
      cell: ({ kind, id, messages }) => html`<a href="${threadPath(kind, id)}">${count(messages)}</a>`,
    },
  ],
  [chosen, ...alternatives],
)}</section>`;
}
