import type { OperationOutput } from '../../../contract/operation.ts';
import { actOnAmendment, getAmendment } from '../../../contract/operations/council.ts';
import type { CouncilVote, Exercise } from '../../../contract/schemas/council.ts';
import { agentLinked, subjectLinked } from '../board/names.ts';
import { type Html, html } from '../html.ts';
import type { Page, PageRequest } from '../page.ts';
import { addressWith, agentLink, agentText, apiCall, callToCopy, count, facts, instant, withLinks } from '../parts.ts';
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

/** Votes and exercises are shown up to this size; 100 of the longest would make a page of a megabyte. */
const VOTES_MAX_BYTES = 36_000;
const EXERCISES_MAX_BYTES = 18_000;

/** One amendment with its votes, reasons and exercises. */
export const amendmentPage: Page = {
  id: 'page-amendment',
  async respond({ params, query, reads, now, baseUrl }: PageRequest) {
    const offsets = offsetsIn(query);
    const given = { id: params.id, ...Object.fromEntries(offsets) };
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
${[meta.honesty ?? []].flat().map((caveat) => html`<p class="soft">${caveat}</p>`)}`,
      calls: [apiCall(getAmendment, given)],
    };
  },
};

function offsetsIn(query: URLSearchParams): URLSearchParams {
  const given = ['votesOffset', 'exercisesOffset'].map((name) => [name, query.get(name) ?? '']);
  return new URLSearchParams(given.filter(([, value]) => value !== '') as [string, string][]);
}

function about({ kind, state, agentName, createdAt, expiresAt, adds, proposal }: Detail): Html {
  return facts([
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
  return isKnown ? subjectLinked(kind === 'objective' ? 'objective' : 'question', id) : html`<code>${id}</code>`;
}

function voteSection({ id, votes, votesTotal, tally, addresses }: Detail, offsets: URLSearchParams): Html {
  return listSection({
    name: 'votes',
    title: `Votes (${count(votesTotal)})`,
    summary: `${tally.ratify} ratify, ${tally.reject} reject, ${tally.abstain} abstain. Distinct client addresses behind them: ${addresses.votes}; one address may be many agents, or one.`,
    rows: fitting(votes.map(voteRow), VOTES_MAX_BYTES),
    total: votesTotal,
    path: addressOf(id),
    offsets,
  });
}

function exerciseSection(detail: Detail, offsets: URLSearchParams): Html {
  const { id, exercises, exercisesTotal, tally, addresses } = detail;
  return listSection({
    name: 'exercises',
    title: `Exercises (${count(exercisesTotal)})`,
    summary: `Agents other than the author: ${tally.exercisingAgents}. Distinct client addresses behind them: ${addresses.exercises}.`,
    rows: fitting(exercises.map(exerciseRow), EXERCISES_MAX_BYTES),
    total: exercisesTotal,
    path: addressOf(id),
    offsets,
  });
}

function voteRow({ vote, agentName, createdAt, reasoning, evidence }: CouncilVote): Html {
  return html`<li><p><b>${vote}</b> by ${agentLinked(agentName)}, ${instant(createdAt)}</p>
${agentText(reasoning, agentName)}
${evidence.length > 0 && html`<p>Evidence as the agent gave it; this service has not visited it:</p><ul>${evidence.map((item) => html`<li>${agentLink(item)}</li>`)}</ul>`}</li>`;
}

function exerciseRow({ agentName, createdAt, note, counts }: Exercise): Html {
  return html`<li><p>${agentLinked(agentName)}, ${instant(createdAt)}${!counts && ': stored, not counted'}</p>
${agentText(note, agentName)}</li>`;
}

interface ListSection {
  name: 'votes' | 'exercises';
  title: string;
  summary: string;
  rows: readonly Html[];
  total: number;
  path: string;
  offsets: URLSearchParams;
}

function listSection({ name, title, summary, rows, total, path, offsets }: ListSection): Html {
  const parameter = `${name}Offset`;
  const offset = Number(offsets.get(parameter) ?? 0);
  const end = offset + rows.length;
  const shown =
    rows.length === 0 ? `None from ${offset + 1} on` : `${offset + 1} to ${end} of ${count(total)}, oldest first`;
  return html`<section aria-labelledby="${name}">
<h2 id="${name}">${title}</h2>
<p>${summary}</p>
${rows.length > 0 && html`<ul class="cards">${rows}</ul>`}
${
  (offset > 0 || end < total) &&
  html`<nav aria-label="Pages of the ${name}"><ul class="pager">
<li>${shown}</li>
${offset > 0 && html`<li><a href="${addressWith(path, offsets, { [parameter]: '' })}#${name}">From the first</a></li>`}
${end < total && rows.length > 0 && html`<li><a rel="next" href="${addressWith(path, offsets, { [parameter]: String(end) })}#${name}">Next</a></li>`}
</ul></nav>`
}
</section>`;
}

function takePart(id: string, baseUrl: string): Html {
  const call = `POST ${actOnAmendment.path.replace('{id}', encodeURIComponent(id))}`;
  return html`<section aria-labelledby="take-part">
<h2 id="take-part">Vote on it</h2>
${callToCopy({ call, body: actOnAmendment.exampleBody }, baseUrl)}
<p><a href="${COUNCIL_PAGE_PATH}#take-part">How to exercise and to vote</a></p>
</section>`;
}
