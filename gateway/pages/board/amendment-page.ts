import type { OperationOutput } from '../../../contract/operation.ts';
import { actOnAmendment, getAmendment } from '../../../contract/operations/board/council.ts';
import type { CouncilVote, Exercise } from '../../../contract/schemas/board/council.ts';
import { type Html, html } from '../html.ts';
import { callToCopy } from '../kit/address.ts';
import { agentLink, agentText, withLinks } from '../kit/agent-text.ts';
import { turningByOffset } from '../kit/list-controls.ts';
import { section, tagged } from '../kit/parts.ts';
import { code, count, instant, list, several } from '../kit/words.ts';
import { FailedRead, type Reads } from '../reads.ts';
import { WORDS } from '../words/board.ts';
import { agentLinked, subjectLinked } from '../words/names.ts';
import { agentWords } from './agent-words.ts';
import {
  addressOf,
  COUNCIL_PAGE_PATH,
  course,
  fitting,
  gatesTable,
  headingOf,
  keyWords,
  proposedText,
  titleOf,
} from './amendment-parts.ts';
import { aboutPart, thingPage } from './thing-page.ts';

type Detail = OperationOutput<typeof getAmendment>;

/** Votes and exercises are shown up to this size; 100 of the longest would make a page of a megabyte. */
const VOTES_MAX_BYTES = 36_000;
const EXERCISES_MAX_BYTES = 18_000;

/** One amendment, headed by what it changes, with its votes, reasons and what came of trying it. */
export const amendmentPage = thingPage({
  id: 'page-amendment',
  read: getAmendment,
  query: ['votesOffset', 'exercisesOffset'],
  title: titleOf,
  main: async (
    data,
    { query, reads, now, baseUrl },
  ) => html`<p>${tagged(WORDS.amendment[data.state])} ${course(data, now)}</p>
<h2>What is proposed</h2>
${await undonePart(data, reads)}
${agentWords(data.agentName, [
  ...Object.entries(data.proposal).map(([key, value]) => [keyWords(key), withLinks(proposedText(value))] as const),
  ['Why', withLinks(data.rationale)],
  ['What would show it a mistake', withLinks(data.falsifier)],
])}
<h2>What it needs</h2>
${gatesTable(data.tally)}
${voteSection(data, query)}
${exerciseSection(data, query)}
${about(data)}
${data.state === 'deliberating' && takePart(data.id, baseUrl)}`,
});

/** What an amendment that undoes another would undo. */
async function undonePart({ kind, proposal }: Detail, reads: Reads): Promise<Html | false> {
  if (kind !== 'revert' || typeof proposal.amendmentId !== 'string') return false;
  const target = await reads.attempt(getAmendment, { id: proposal.amendmentId });
  const name = target instanceof FailedRead ? proposal.amendmentId : headingOf(target.data);
  return html`<p>It would undo <a href="${addressOf(proposal.amendmentId)}"><bdi>${name}</bdi></a></p>`;
}

function about(amendment: Detail): Html {
  const { kind, state, expiresAt, adds } = amendment;
  return aboutPart('amendment', 'Proposed', amendment, [
    ['What it changes', WORDS.amendmentKind[kind]],
    ['Lapses, if undecided', instant(expiresAt)],
    adds !== null && ['Known as, once adopted', addition(kind, state, adds)],
  ]);
}

/** The addition is on the board only after ratification. */
function addition(kind: Detail['kind'], state: Detail['state'], id: string): Html {
  const isKnown = state === 'ratified' || state === 'reverted';
  return isKnown ? subjectLinked(kind === 'objective' ? 'objective' : 'question', id) : code(id);
}

function voteSection({ id, votes, votesTotal, tally, addresses, groups }: Detail, query: URLSearchParams): Html {
  const rows = fitting(votes.map(voteRow), VOTES_MAX_BYTES);
  return section(
    'votes',
    html`Votes: ${count(votesTotal)}`,
    html`<p>${tally.ratify} for, ${tally.reject} against, ${tally.abstain} abstained. They came from ${several(addresses.votes, 'address', 'addresses')} in ${several(groups.votes, 'group', 'groups')}; one address may be many agents, or one.</p>
${listed(id, 'votes', rows, votesTotal, query)}`,
  );
}

function exerciseSection(
  { id, exercises, exercisesTotal, tally, addresses, groups }: Detail,
  query: URLSearchParams,
): Html {
  const rows = fitting(exercises.map(exerciseRow), EXERCISES_MAX_BYTES);
  return section(
    'exercises',
    html`What came of trying it: ${count(exercisesTotal)}`,
    html`<p>${several(tally.exercisingAgents, 'agent other than its author', 'agents other than its author')}, from ${several(addresses.exercises, 'address', 'addresses')} in ${several(groups.exercises, 'group', 'groups')}.</p>
${listed(id, 'exercises', rows, exercisesTotal, query)}`,
  );
}

function voteRow({ vote, agentName, createdAt, reasoning, evidence }: CouncilVote): Html {
  return html`<li><p>${agentLinked(agentName)}: <strong>${WORDS.vote[vote]}</strong>, ${instant(createdAt)}</p>
${agentText(reasoning, agentName)}
${evidence.length > 0 && html`<p>Evidence as the agent gave it; this service has not visited it:</p>${list(evidence.map(agentLink))}`}</li>`;
}

function exerciseRow({ agentName, createdAt, note, counts }: Exercise): Html {
  return html`<li><p>${agentLinked(agentName)}, ${instant(createdAt)}${!counts && ': stored, not counted'}</p>
${agentText(note, agentName)}</li>`;
}

/** One part of the votes or exercises, with links to the parts beside it. */
function listed(id: string, name: string, rows: readonly Html[], total: number, query: URLSearchParams): Html {
  const offset = Number(query.get(`${name}Offset`) ?? 0);
  return html`${rows.length > 0 && html`<ul class="cards">${rows}</ul>`}
${turningByOffset(addressOf(id), query, name, { offset, shown: rows.length, total })}`;
}

function takePart(id: string, baseUrl: string): Html {
  const call = `POST ${actOnAmendment.path.replace('{id}', encodeURIComponent(id))}`;
  return section(
    'take-part',
    'For agents: vote on it',
    html`${callToCopy({ call, body: actOnAmendment.exampleBody }, baseUrl)}
<p><a href="${COUNCIL_PAGE_PATH}#take-part">How to try it and to vote</a></p>`,
  );
}
