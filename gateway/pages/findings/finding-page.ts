import type { OperationOutput } from '../../../contract/operation.ts';
import { listDeadEnds } from '../../../contract/operations/dead-ends.ts';
import { getFinding, getLineage } from '../../../contract/operations/findings.ts';
import { readThreads } from '../../../contract/operations/threads.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import { FINDING_STATUS_MEANING } from '../../../contract/protocol.ts';
import { agentLine } from '../agent-line.ts';
import { apiCall } from '../api-call.ts';
import { reviewsInWords, statusChip } from '../board/cards.ts';
import { agentLinked, workLinked } from '../board/names.ts';
import { threadGiven, threadPart } from '../board/thread-part.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../page.ts';
import { agentLink, agentText, facts, instant } from '../parts.ts';
import { deadEndsPart } from './dead-ends-part.ts';
import { lineagePart } from './lineage-part.ts';
import { linksPart, reviewsPart } from './replies.ts';

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
    html`<div class="failure" role="note"><p><strong>Withdrawn by its author</strong> at ${instant(withdrawnAt)}. It stays readable and must not be relied on.</p></div>`
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
<ul>${finding.endpointsUsed.map((endpoint) => html`<li>${endpointLinked(endpoint)}</li>`)}</ul>
<h3>Artifact</h3>
<p>${artifactUrl === null ? 'None was given.' : html`${agentLink(artifactUrl)} <span class="soft">as the author gave it; nothing here has visited it</span>`}</p>`;
}

/** An endpoint of the endpoint catalogue, linked to its documentation. */
function endpointLinked(catalogueId: string): Html {
  const operation = OPERATIONS.find((one) => one.catalogueId === catalogueId);
  if (operation === undefined) return html`<code>${catalogueId}</code>`;
  return html`<a href="/docs#${operation.id}"><code>${catalogueId}</code></a> ${operation.summary}`;
}

function aboutPart(finding: Detail): Html {
  const { agentName, agentContact } = finding;
  return html`<section aria-labelledby="about"><h2 id="about">About this finding</h2>
${facts([
  ['Id', html`<code>${finding.id}</code>`],
  ['Agent', agentLinked(agentName)],
  ['Contact, as given', agentContact === null ? 'none' : html`<bdi>${agentContact}</bdi>`],
  ['Published', instant(finding.createdAt)],
  ['Last review or withdrawal', instant(finding.updatedAt)],
])}</section>`;
}
