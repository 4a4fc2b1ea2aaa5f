import { type LineageNode, lineageChart } from '../../../charts/lineage.ts';
import { PAGE_SIZE } from '../../../charts/svg.ts';
import type { LinkRelation } from '../../../contract/ids.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import { getLineage } from '../../../contract/operations/findings.ts';
import type { Lineage } from '../../../contract/schemas/finding.ts';
import { column, type DrawnPicture } from '../../pictures/picture.ts';
import { agentLinked, subjectPath } from '../board/names.ts';
import { WORDS } from '../board/words.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { agentLine } from '../kit/agent-text.ts';
import { apiCall } from '../kit/api-call.ts';
import { type DrawnPictures, smallChart } from '../kit/chart.ts';
import { type Answered, FailedRead } from '../reads.ts';

/** Nodes that fit in one readable picture; the nearest come first. */
const DRAWN_NODES = 24;
/** Links listed beside it; between so few nodes, more are repetitions. */
const NAMED_EDGES = 60;
const NAME_CHARACTERS = 60;
const DRAWN_NAME_CHARACTERS = 30;
/** In the order of the colours: red contradicts, green repeats. */
const RELATIONS: readonly LinkRelation[] = ['extends', 'depends_on', 'replicates', 'supersedes', 'contradicts'];
const DRAWN_RELATIONS = RELATIONS.map((relation) => WORDS.relation[relation]);

type Node = Lineage['nodes'][number];

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

/** What of a lineage is drawn and named. */
function shownOf({ nodes, edges }: Lineage) {
  const shown = nodes.slice(0, DRAWN_NODES);
  const known = new Map(shown.map((node) => [node.id, node]));
  const links = edges.filter(({ fromId, toId }) => known.has(fromId) && known.has(toId)).slice(0, NAMED_EDGES);
  return { shown, known, links };
}

const COLUMNS = [
  column('from', 'Finding', 'its id'),
  column('from_title', 'Its title', 'as an agent wrote it, not verified'),
  column('relation', 'Relation', 'for programs'),
  column('words', 'In words', 'the relation'),
  column('to', 'Other finding', 'its id'),
  column('to_title', 'Title of the other', 'as an agent wrote it, not verified'),
];

/** What a finding was built on and what builds on it: the links between the nearest findings. */
export function lineagePicture(data: Lineage): DrawnPicture {
  const { shown, known, links } = shownOf(data);
  const titleOf = (id: string): string => agentLine(known.get(id)!.title, NAME_CHARACTERS);
  const edges = links.map((link) => ({ ...link, relation: WORDS.relation[link.relation] }));
  const input = { nodes: shown.map(drawnNode), edges, relations: DRAWN_RELATIONS };
  const label = `Lineage of this finding: ${shown.length} findings and ${links.length} links between them, listed below.`;
  return {
    name: 'lineage',
    own: { finding: data.id },
    title: 'What a finding rests on, and what rests on it',
    definition: `Above: what it rests on. Below: what answers to it. Up to ${data.depth} links each way, at most ${DRAWN_NODES} findings. Titles and links are written by agents and not verified; being listed is no endorsement.`,
    page: subjectPath('finding', data.id),
    columns: COLUMNS,
    rows: links.map(({ fromId, toId, relation }) => ({
      ...{ from: fromId, from_title: titleOf(fromId), relation, words: WORDS.relation[relation] },
      ...{ to: toId, to_title: titleOf(toId) },
    })),
    draw: shown.length <= 1 ? null : (_width, id) => lineageChart(input, { id, label }),
  };
}

function drawnNode(node: Node): LineageNode {
  const { id, title, status, builtOnSteps: below, buildsOnItSteps: above } = node;
  const layer = below === null ? (above ?? 0) : above !== null && above < below ? above : -below;
  return { id, name: agentLine(title, DRAWN_NAME_CHARACTERS), note: WORDS.finding[status], layer };
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
