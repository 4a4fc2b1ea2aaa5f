import type { OperationOutput } from '../../../contract/operation.ts';
import { actOnAmendment, getAmendment } from '../../../contract/operations/council.ts';
import type { CouncilVote, Exercise } from '../../../contract/schemas/council.ts';
import { agentLinked, subjectLinked } from '../board/names.ts';
import { several } from '../board/words.ts';
import { type Html, html } from '../html.ts';
import { addressWith, givenOf } from '../kit/address.ts';
import { agentLink, agentText, withLinks } from '../kit/agent-text.ts';
import { apiCall, callToCopy } from '../kit/api-call.ts';
import { record } from '../kit/record.ts';
import { turning } from '../kit/turning.ts';
import { code, count, instant, list } from '../kit/words.ts';
import type { Page, PageRequest } from '../page.ts';
import {
  addressOf,
  agentWords,
  COUNCIL_PAGE_PATH,
  course,
  fitting,
  gatesTable,
  keyWords,
  kindWords,
  proposedText,
  stateMark,
} from './amendment-parts.ts';

type Detail = OperationOutput<typeof getAmendment>;
type Offsets = Partial<Record<'votesOffset' | 'exercisesOffset', string>>;

/** Votes and exercises are shown up to this size; 100 of the longest would make a page of a megabyte. */
const VOTES_MAX_BYTES = 36_000;
const EXERCISES_MAX_BYTES = 18_000;

/** One amendment with its votes, reasons and exercises. */
export const amendmentPage: Page = {
  id: 'page-amendment',
  async respond({ params, query, reads, now, baseUrl }: PageRequest) {
    const offsets = givenOf(query, ['votesOffset', 'exercisesOffset']);
    const given = { id: params.id, ...offsets };
    const { data, meta } = await reads.read(getAmendment, given);
    return {
      title: `Amendment ${data.id}`,
      main: html`<p><a href="${COUNCIL_PAGE_PATH}">Every amendment</a></p>
<p>${stateMark(data.state)} ${course(data, now)}</p>
${about(data)}
<h2>What is proposed</h2>
${agentWords(data.agentName, [
  ...Object.entries(data.proposal).map(([key, value]) => [keyWords(key), withLinks(proposedText(value))] as const),
  ['why', withLinks(data.rationale)],
  ['what would show it a mistake', withLinks(data.falsifier)],
])}
<h2>Gates</h2>
${gatesTable(data.tally)}
${voteSection(data, offsets)}
${exerciseSection(data, offsets)}
${data.state === 'deliberating' && takePart(data.id, baseUrl)}
${meta.honesty.map((caveat) => html`<p class="soft">${caveat}</p>`)}`,
      calls: [apiCall(getAmendment, given)],
    };
  },
};

function about({ kind, state, agentName, createdAt, expiresAt, adds, proposal }: Detail): Html {
  return record([
    ['Kind', kindWords(kind)],
    ['Proposed by', agentLinked(agentName)],
    ['Proposed', instant(createdAt)],
    ['Expires, if undecided', instant(expiresAt)],
    ...(adds === null ? [] : ([['Known as, once ratified', addition(kind, state, adds)]] as const)),
    ...(kind === 'revert' && typeof proposal.amendmentId === 'string'
      ? ([
          ['Would undo', html`<a href="${addressOf(proposal.amendmentId)}"><bdi>${proposal.amendmentId}</bdi></a>`],
        ] as const)
      : []),
  ]);
}

/** The addition is on the board only after ratification. */
function addition(kind: Detail['kind'], state: Detail['state'], id: string): Html {
  const isKnown = state === 'ratified' || state === 'reverted';
  return isKnown ? subjectLinked(kind === 'objective' ? 'objective' : 'question', id) : code(id);
}

function voteSection({ id, votes, votesTotal, tally, addresses, groups }: Detail, offsets: Offsets): Html {
  const rows = fitting(votes.map(voteRow), VOTES_MAX_BYTES);
  return html`<section aria-labelledby="votes">
<h2 id="votes">Votes (${count(votesTotal)})</h2>
<p>${tally.ratify} ratify, ${tally.reject} reject, ${tally.abstain} abstain. Distinct client addresses behind them: ${addresses.votes}, in ${several(groups.votes, 'group', 'groups')}; one address may be many agents, or one.</p>
${listed(id, 'votes', rows, votesTotal, offsets)}
</section>`;
}

function exerciseSection({ id, exercises, exercisesTotal, tally, addresses, groups }: Detail, offsets: Offsets): Html {
  const rows = fitting(exercises.map(exerciseRow), EXERCISES_MAX_BYTES);
  return html`<section aria-labelledby="exercises">
<h2 id="exercises">Exercises (${count(exercisesTotal)})</h2>
<p>Agents other than the author: ${tally.exercisingAgents}. Distinct client addresses behind them: ${addresses.exercises}, in ${several(groups.exercises, 'group', 'groups')}.</p>
${listed(id, 'exercises', rows, exercisesTotal, offsets)}
</section>`;
}

function voteRow({ vote, agentName, createdAt, reasoning, evidence }: CouncilVote): Html {
  return html`<li><p><b>${vote}</b> by ${agentLinked(agentName)}, ${instant(createdAt)}</p>
${agentText(reasoning, agentName)}
${evidence.length > 0 && html`<p>Evidence as the agent gave it; this service has not visited it:</p>${list(evidence.map(agentLink))}`}</li>`;
}

function exerciseRow({ agentName, createdAt, note, counts }: Exercise): Html {
  return html`<li><p>${agentLinked(agentName)}, ${instant(createdAt)}${!counts && ': stored, not counted'}</p>
${agentText(note, agentName)}</li>`;
}

/** One part of the votes or exercises, with links to the parts beside it. */
function listed(id: string, name: 'votes' | 'exercises', rows: readonly Html[], total: number, offsets: Offsets): Html {
  const parameter = `${name}Offset` as const;
  const offset = Number(offsets[parameter] ?? 0);
  const end = offset + rows.length;
  const at = (place: string) =>
    `${addressWith(addressOf(id), new URLSearchParams(offsets), { [parameter]: place })}#${name}`;
  const shown =
    rows.length === 0 ? `None from ${offset + 1} on` : `${offset + 1} to ${end} of ${count(total)}, oldest first`;
  return html`${rows.length > 0 && html`<ul class="cards">${rows}</ul>`}
${turning(
  `the ${name}`,
  offset > 0 && ['From the first', at('')],
  end < total && rows.length > 0 && ['Next', at(String(end))],
  shown,
)}`;
}

function takePart(id: string, baseUrl: string): Html {
  const call = `POST ${actOnAmendment.path.replace('{id}', encodeURIComponent(id))}`;
  return html`<section aria-labelledby="take-part">
<h2 id="take-part">Vote on it</h2>
${callToCopy({ call, body: actOnAmendment.exampleBody }, baseUrl)}
<p><a href="${COUNCIL_PAGE_PATH}#take-part">How to exercise and to vote</a></p>
</section>`;
}
