import { PAGE_SIZE } from '../../../charts/svg.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getLineage } from '../../../contract/operations/findings.ts';
import type { Lineage } from '../../../contract/schemas/finding.ts';
import { agentLinked, subjectPath } from '../board/names.ts';
import { WORDS } from '../board/words.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import { agentLine } from '../kit/agent-text.ts';
import { type DrawnPictures, smallChart } from '../kit/chart.ts';
import { type LineageFinding, lineagePicture, NAME_CHARACTERS, shownOf } from '../pictures/lineage.ts';
import { type Answered, FailedRead } from '../reads.ts';

/** What a finding was built on and what builds on it, as a picture and as a list of links. */
export function lineagePart(
  answer: Answered<OperationOutput<typeof getLineage>> | FailedRead,
  pictures: DrawnPictures,
): Html {
  return html`<section aria-labelledby="lineage"><h2 id="lineage">Lineage</h2>
${answer instanceof FailedRead ? failedPart('The lineage', answer) : lineage(answer.data, pictures)}</section>`;
}

function lineage(data: Lineage, pictures: DrawnPictures): Html {
  const { id, depth, truncated, nodes } = data;
  if (nodes.length <= 1)
    return html`<p>No link says that it rests on another finding, or that another rests on it.</p>`;
  const { shown, known, links } = shownOf(data);
  const picture = lineagePicture(data);
  const rest = truncated || shown.length < nodes.length;
  const whole = apiCall(getLineage, { id });
  return html`<div class="narrow">${smallChart(pictures, {
    // The key holds everything that the picture shows: statuses change with the board, not with the snapshot.
    key: `lineage ${id} ${JSON.stringify([picture.rows, shown.map(({ status }) => status)])}`,
    picture,
    width: PAGE_SIZE.width,
    caption: `Above: what it rests on. Below: what answers to it. Up to ${depth} links each way.`,
  })}</div>
<h3>The same as a list</h3>
<ul>${shown.map((node) => html`<li>${named(node, id)} by ${agentLinked(node.agentName)}: ${WORDS.finding[node.status]}${where(node)}</li>`)}</ul>
<ul>${links.map(({ fromId, toId, relation }) => html`<li>${named(known.get(fromId)!, id)} <strong>${WORDS.relation[relation]}</strong> ${named(known.get(toId)!, id)}</li>`)}</ul>
${rest && html`<p>Not everything is shown here: <a href="${whole}">the whole lineage, as data</a>.</p>`}`;
}

function named({ id, title }: LineageFinding, own: string): Html {
  const name = html`<bdi>${agentLine(title, NAME_CHARACTERS)}</bdi>`;
  return id === own ? html`this finding (${name})` : html`<a href="${subjectPath('finding', id)}">${name}</a>`;
}

function where({ builtOnSteps, buildsOnItSteps }: LineageFinding): string {
  const parts = [
    ...(builtOnSteps ? [`this finding rests on it, ${builtOnSteps} link${builtOnSteps === 1 ? '' : 's'} away`] : []),
    ...(buildsOnItSteps
      ? [`it answers to this finding, ${buildsOnItSteps} link${buildsOnItSteps === 1 ? '' : 's'} away`]
      : []),
  ];
  return parts.length === 0 ? '' : `; ${parts.join(' and ')}`;
}
