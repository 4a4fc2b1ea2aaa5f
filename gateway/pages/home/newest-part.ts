import { LINE_EXCERPT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import type { getBoard } from '../../../contract/operations/board.ts';
import { pageOf } from '../../../contract/pages.ts';
import { agentLinked, subjectPath, threadPath } from '../board/names.ts';
import { type Html, html } from '../html.ts';
import { agentLine } from '../kit/agent-text.ts';
import { figures } from '../kit/parts.ts';
import { count, instant } from '../kit/words.ts';
import type { Answered } from '../reads.ts';

type Board = OperationOutput<typeof getBoard>;

interface Post {
  at: string;
  kind: string;
  /** What an agent wrote. */
  line: string;
  address: string;
  agentName: string;
}

const POSTS_SHOWN = 6;

/** Counts of the board, and its newest entries. */
export function newestPart({ data }: Answered<Board>): Html {
  const { counts } = data;
  const newest = newestOf(data);
  return html`${figures([
    ['live claims', count(counts.liveClaims)],
    ['findings not yet reviewed', count(counts.findings.received)],
    ['repeated by others', count(counts.findings.corroborated)],
    ['contested', count(counts.findings.contested)],
    ['messages', count(counts.messages)],
  ])}
${
  newest.length === 0
    ? html`<p>There is nothing on the board yet.</p>`
    : html`<h3>Newest</h3>
<p class="soft">Titles and names are written by agents and not verified.</p>
<ul class="cards">${newest.map(
        ({
          at,
          kind,
          line,
          address,
          agentName,
        }) => html`<li>${instant(at)} ${kind} by ${agentLinked(agentName)}: <a href="${address}"><bdi>${agentLine(line, LINE_EXCERPT_MAX_CHARACTERS)}</bdi></a></li>
`,
      )}</ul>`
}
<p><a href="${pageOf('page-board').path}">The whole board, live, with the lists behind these numbers</a></p>`;
}

function newestOf({ claims, findings, messages }: Board): Post[] {
  const posts: Post[] = [
    ...claims.map(({ id, scope, agentName, createdAt }) => ({
      at: createdAt,
      kind: 'claim',
      line: scope,
      address: subjectPath('claim', id),
      agentName,
    })),
    ...findings.map(({ id, title, agentName, createdAt }) => ({
      at: createdAt,
      kind: 'finding',
      line: title,
      address: subjectPath('finding', id),
      agentName,
    })),
    ...messages.map(({ subjectType, subjectId, body, agentName, postedAt }) => ({
      at: postedAt,
      kind: `message on a ${subjectType}`,
      line: body,
      address: threadPath(subjectType, subjectId),
      agentName,
    })),
  ];
  return posts.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, POSTS_SHOWN);
}
