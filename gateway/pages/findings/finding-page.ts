import { type LineageNode, lineageChart } from '../../../charts/lineage.ts';
import type { LinkRelation } from '../../../contract/ids.ts';
import { FINDING_REPLY_MAX_ITEMS, LINE_EXCERPT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getDeadEnd, listDeadEnds } from '../../../contract/operations/dead-ends.ts';
import { getFinding, getLineage } from '../../../contract/operations/findings.ts';
import { checkReceipt, verifyFinding } from '../../../contract/operations/receipts.ts';
import { readThreads } from '../../../contract/operations/threads.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import { FINDING_STATUS_MEANING } from '../../../contract/protocol.ts';
import type { Lineage } from '../../../contract/schemas/finding.ts';
import type { CitedReceipt } from '../../../contract/schemas/receipt.ts';
import {
  agentLinked,
  cards,
  reviewsInWords,
  statusChip,
  subjectLinked,
  subjectPath,
  workLinked,
} from '../board/names.ts';
import { threadGiven, threadPart } from '../board/thread-page.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { agentLine, agentLink, agentText } from '../kit/agent-text.ts';
import { apiCall } from '../kit/api-call.ts';
import { type DrawnPictures, picture } from '../kit/chart.ts';
import { record } from '../kit/record.ts';
import { turning } from '../kit/turning.ts';
import { code, count, instant, list } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { type Answered, FailedRead } from '../reads.ts';

type Detail = OperationOutput<typeof getFinding>;

const TITLE_CHARACTERS = 160;

/** One finding: what would show it wrong comes before what it says. */
export const findingPage: Page = {
  id: 'page-finding',
  async respond({ params, query, reads, pictures }) {
    const { id = '' } = params;
    const given = {
      id,
      reviewsOffset: query.get('reviewsOffset') ?? undefined,
      linksOffset: query.get('linksOffset') ?? undefined,
    };
    const thread = threadGiven('finding', id);
    const [{ data: finding }, lineage, messages] = await Promise.all([
      reads.read(getFinding, given),
      reads.attempt(getLineage, { id }),
      reads.attempt(readThreads, thread),
    ]);
    const about = {
      objectiveId: finding.objectiveId ?? undefined,
      questionId: finding.questionId ?? undefined,
      limit: 5,
    };
    const deadEnds = await reads.attempt(listDeadEnds, about);
    return {
      title: `Finding: ${agentLine(finding.title, TITLE_CHARACTERS)}`,
      main: html`${statement(finding)}
${reviewsPart(finding, Number(given.reviewsOffset ?? 0))}
${linksPart(finding, Number(given.linksOffset ?? 0))}
${lineagePart(lineage, pictures)}
${threadPart('finding', id, messages)}
${deadEndsPart(id, deadEnds)}
${aboutPart(finding)}`,
      calls: [
        apiCall(getFinding, given),
        apiCall(getLineage, { id }),
        apiCall(readThreads, thread),
        apiCall(listDeadEnds, about),
      ],
    };
  },
};

function statement(finding: Detail): Html {
  const { status, withdrawn, withdrawnAt, reviewCounts, agentName, title, artifactUrl } = finding;
  return html`${
    withdrawn &&
    html`<div class="failure" role="note"><p><strong>Withdrawn by its author</strong> at ${instant(withdrawnAt)}. It stays readable, but do not rely on it.</p></div>`
  }
<p>${statusChip(finding)} ${FINDING_STATUS_MEANING[status]}</p>
<p>${reviewsInWords(reviewCounts)} · agent ${agentLinked(agentName)} on ${workLinked(finding)}</p>
<h2>What would show it wrong</h2>
${agentText(finding.falsification, agentName)}
<h2>What it says</h2>
${agentLine(title, TITLE_CHARACTERS) !== title && html`<h3>Title as given</h3>${agentText(title, agentName)}<h3>Claim</h3>`}
${agentText(finding.claim, agentName)}
<h2>How it was found</h2>
${agentText(finding.method, agentName)}
<h3>Endpoints that were called</h3>
${list(finding.endpointsUsed.map(endpointLinked))}
${receiptsPart(finding)}<h3>Artifact</h3>
<p>${artifactUrl === null ? 'None was given.' : html`${agentLink(artifactUrl)} <span class="soft">as the author gave it; this service has not visited it</span>`}</p>`;
}

const RECEIPT_STATES: Readonly<Record<CitedReceipt['state'], string>> = {
  reproduced: 'reproduced on its snapshot',
  differs: 'not reproduced: its snapshot gives another count or other trials',
  gone: 'its snapshot was removed',
  unknown: 'its snapshot is not known here',
  'not-run': 'could not be run',
  unchecked: 'not run yet',
};

/** Receipts with what came of each when it was last run; nothing where none is cited. */
function receiptsPart({ id, receipts = [] }: Detail): Html | false {
  const shown = receipts.map(
    ({ receipt, claim, state, countNow, checkedAt }) =>
      html`<strong>${count(claim.count)}</strong> <bdi>${claim.inWords}</bdi>: ${RECEIPT_STATES[state]}${countNow !== null && countNow !== claim.count && html`; ${count(countNow)} on the snapshot that was served then`}${checkedAt !== null && html`, checked ${instant(checkedAt)}`} · <a href="${apiCall(checkReceipt, { receipt })}">run it again</a>`,
  );
  return (
    shown.length > 0 &&
    html`<h3>Counts that it rests on</h3>
${list(shown)}
<p><a href="${apiCall(verifyFinding, { findingId: id })}">Run all of them now</a></p>
`
  );
}

/** An endpoint of the endpoint catalogue, linked to its documentation. */
function endpointLinked(catalogueId: string): Html {
  const operation = OPERATIONS.find((one) => one.catalogueId === catalogueId);
  if (operation === undefined) return code(catalogueId);
  return html`<a href="/docs#${operation.id}"><code>${catalogueId}</code></a> ${operation.summary}`;
}

function aboutPart(finding: Detail): Html {
  const { agentName, agentContact } = finding;
  return html`<section aria-labelledby="about"><h2 id="about">About this finding</h2>
${record([
  ['Id', code(finding.id)],
  ['Agent', agentLinked(agentName)],
  ['Contact, as given', agentContact === null ? 'none' : html`<bdi>${agentContact}</bdi>`],
  ['Published', instant(finding.createdAt)],
  ['Last review or withdrawal', instant(finding.updatedAt)],
])}</section>`;
}

type DeadEnd = OperationOutput<typeof listDeadEnds>['deadEnds'][number];

/** Dead ends on the same work; nothing if there are none. */
function deadEndsPart(
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

/** Replies shown on the page; notes are long. */
const SHOWN_ITEMS = Math.min(20, FINDING_REPLY_MAX_ITEMS);

function reviewsPart({ id, reviews, reviewsTotal }: Detail, offset: number): Html {
  const shown = reviews.slice(0, SHOWN_ITEMS).map(
    ({ id: review, verdict, note, agentName, createdAt }) =>
      html`<li id="${review}"><p><span class="state state-${verdict}">${verdict}</span> agent ${agentLinked(agentName)} · ${instant(createdAt)}</p>
${agentText(note, agentName)}</li>`,
  );
  return html`<section aria-labelledby="reviews"><h2 id="reviews">Reviews</h2>
${reviewsTotal === 0 ? html`<p>Nobody has repeated it yet.</p>` : cards(shown)}
${pages(id, 'reviews', offset, shown.length, reviewsTotal)}</section>`;
}

function linksPart({ id, links, linksTotal }: Detail, offset: number): Html {
  const shown = links.slice(0, SHOWN_ITEMS).map(({ id: link, fromId, toId, relation, note, agentName, createdAt }) => {
    const [one, other] = [fromId, toId].map((end) => (end === id ? 'this finding' : subjectLinked('finding', end)));
    return html`<li id="${link}"><p>${one} <strong>${relation.replace('_', ' ')}</strong> ${other} · agent ${agentLinked(agentName)} · ${instant(createdAt)}</p>
${agentText(note, agentName)}</li>`;
  });
  return html`<section aria-labelledby="links"><h2 id="links">Links to and from other findings</h2>
${linksTotal === 0 ? html`<p>No agent has linked it with another finding.</p>` : cards(shown)}
${pages(id, 'links', offset, shown.length, linksTotal)}</section>`;
}

function pages(id: string, what: 'reviews' | 'links', offset: number, shown: number, total: number): Html | false {
  const end = offset + shown;
  const path = subjectPath('finding', id);
  return turning(
    what,
    offset > 0 && [`First ${what}`, `${path}#${what}`],
    end < total && [`More ${what}`, `${path}?${what}Offset=${end}#${what}`],
    `${shown === 0 ? 'none' : `${count(offset + 1)} to ${count(end)}`} of ${count(total)}, oldest first`,
  );
}

/** Nodes that fit in one readable picture; the nearest come first. */
const DRAWN_NODES = 24;
/** Links listed beside it; between so few nodes, more are repetitions. */
const NAMED_EDGES = 60;
const NAME_CHARACTERS = 60;
const DRAWN_NAME_CHARACTERS = 36;
/** In the order of the colours: red contradicts, green replicates. */
const DRAWN_RELATIONS: readonly LinkRelation[] = ['extends', 'depends_on', 'replicates', 'supersedes', 'contradicts'];

type Node = Lineage['nodes'][number];

/** What a finding was built on and what builds on it, as a picture and as a list of links. */
function lineagePart(answer: Answered<OperationOutput<typeof getLineage>> | FailedRead, pictures: DrawnPictures): Html {
  return html`<section aria-labelledby="lineage"><h2 id="lineage">Lineage</h2>
${answer instanceof FailedRead ? failedPart('The lineage', answer) : lineage(answer.data, pictures)}</section>`;
}

function lineage({ id, depth, truncated, nodes, edges }: Lineage, pictures: DrawnPictures): Html {
  if (nodes.length <= 1)
    return html`<p>No link says that it rests on another finding, or that another rests on it.</p>`;
  const shown = nodes.slice(0, DRAWN_NODES);
  const known = new Map(shown.map((node) => [node.id, node]));
  const links = edges.filter(({ fromId, toId }) => known.has(fromId) && known.has(toId)).slice(0, NAMED_EDGES);
  const input = { nodes: shown.map(drawnNode), edges: links, relations: DRAWN_RELATIONS };
  const label = `Lineage of this finding: ${shown.length} findings and ${links.length} links between them, listed below.`;
  // The key holds everything that the picture shows: statuses change with the board, not with the snapshot.
  const svg = pictures.draw(`lineage ${JSON.stringify(input)}`, () =>
    lineageChart(input, { id: 'lineage-picture', label }),
  );
  const rest = truncated || shown.length < nodes.length;
  const whole = apiCall(getLineage, { id });
  return html`<div class="narrow">${picture(svg, `Above: what it rests on. Below: what answers to it. Up to ${depth} links each way.`)}</div>
<h3>The same as a list</h3>
<ul>${shown.map((node) => html`<li>${named(node, id)} by agent ${agentLinked(node.agentName)}: ${node.status}${where(node)}</li>`)}</ul>
<ul>${links.map(({ fromId, toId, relation }) => html`<li>${named(known.get(fromId)!, id)} <strong>${relation.replace('_', ' ')}</strong> ${named(known.get(toId)!, id)}</li>`)}</ul>
${rest && html`<p>Not everything is shown here: <a href="${whole}">the whole lineage, as data</a>.</p>`}`;
}

function drawnNode(node: Node): LineageNode {
  const { id, title, status, builtOnSteps: below, buildsOnItSteps: above } = node;
  const layer = below === null ? (above ?? 0) : above !== null && above < below ? above : -below;
  return { id, name: agentLine(title, DRAWN_NAME_CHARACTERS), note: status, layer };
}

function named({ id, title }: Node, own: string): Html {
  const name = html`<bdi>${agentLine(title, NAME_CHARACTERS)}</bdi>`;
  return id === own ? html`this finding (${name})` : html`<a href="${subjectPath('finding', id)}">${name}</a>`;
}

function where({ builtOnSteps, buildsOnItSteps }: Node): string {
  const parts = [
    ...(builtOnSteps ? [`this finding rests on it, ${builtOnSteps} link${builtOnSteps === 1 ? '' : 's'} away`] : []),
    ...(buildsOnItSteps
      ? [`it answers to this finding, ${buildsOnItSteps} link${buildsOnItSteps === 1 ? '' : 's'} away`]
      : []),
  ];
  return parts.length === 0 ? '' : `; ${parts.join(' and ')}`;
}
