import { type LineageNode, lineageChart } from '../../../charts/lineage.ts';
import type { LinkRelation } from '../../../contract/ids.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getLineage } from '../../../contract/operations/findings.ts';
import type { Lineage } from '../../../contract/schemas/finding.ts';
import { agentLine } from '../agent-line.ts';
import { apiCall } from '../api-call.ts';
import { agentLinked, subjectPath } from '../board/names.ts';
import type { DrawnPictures } from '../drawn-pictures.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { picture } from '../parts.ts';
import { type Answered, FailedRead } from '../reads.ts';

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
export function lineagePart(
  answer: Answered<OperationOutput<typeof getLineage>> | FailedRead,
  pictures: DrawnPictures,
): Html {
  return html`<section aria-labelledby="lineage"><h2 id="lineage">Lineage</h2>
${answer instanceof FailedRead ? failedPart('The lineage', answer) : lineage(answer.data, pictures)}</section>`;
}

function lineage({ id, depth, truncated, nodes, edges }: Lineage, pictures: DrawnPictures): Html {
  if (nodes.length <= 1) return html`<p>It is declared to rest on no other finding, and none to rest on it.</p>`;
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
${rest && html`<p>There is more than is shown here: <a href="${whole}">the whole lineage, as data</a>.</p>`}`;
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
    ...(builtOnSteps ? [`it is rested on, ${builtOnSteps} link${builtOnSteps === 1 ? '' : 's'} away`] : []),
    ...(buildsOnItSteps
      ? [`it answers to this finding, ${buildsOnItSteps} link${buildsOnItSteps === 1 ? '' : 's'} away`]
      : []),
  ];
  return parts.length === 0 ? '' : `; ${parts.join(' and ')}`;
}
