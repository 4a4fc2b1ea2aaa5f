import type { LinkRelation } from '../../../contract/ids.ts';
import type { Lineage } from '../../../contract/schemas/board/finding.ts';
import { type LineageNode, lineageChart } from '../../charts/lineage.ts';
import { agentLine } from '../kit/agent-text.ts';
import { column, type DrawnPicture } from '../kit/picture.ts';
import { WORDS } from '../words/board.ts';
import { subjectPath } from '../words/names.ts';

/** Nodes that fit in one readable picture; the nearest come first. */
const DRAWN_NODES = 24;
/** Links listed beside it; between so few nodes, more are repetitions. */
const NAMED_EDGES = 60;
export const NAME_CHARACTERS = 60;
const DRAWN_NAME_CHARACTERS = 30;
/** In the order of the colours: red contradicts, green repeats. */
const RELATIONS: readonly LinkRelation[] = ['extends', 'depends_on', 'replicates', 'supersedes', 'contradicts'];
const DRAWN_RELATIONS = RELATIONS.map((relation) => WORDS.relation[relation]);

export type LineageFinding = Lineage['nodes'][number];

/** What of a lineage is drawn and named. */
export function shownOf({ nodes, edges }: Lineage) {
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
    draw: shown.length <= 1 ? null : () => lineageChart(input, { label }),
  };
}

function drawnNode(node: LineageFinding): LineageNode {
  const { id, title, status, builtOnSteps: below, buildsOnItSteps: above } = node;
  const layer = below === null ? (above ?? 0) : above !== null && above < below ? above : -below;
  return { id, name: agentLine(title, DRAWN_NAME_CHARACTERS), note: WORDS.finding[status], layer };
}
