import { escapeMarkup } from '../../contract/markup.ts';
import { colourOf, INK, type Picture, RULE, svgOf } from './svg.ts';

export interface LineageNode {
  id: string;
  /** One line of plain text; cut off if it is too long. */
  name: string;
  /** Text under the name, such as the status. */
  note: string;
  /** Steps from the finding: below 0 for what it rests on, above 0 for what rests on it, 0 for the finding. */
  layer: number;
}

interface LineageEdge {
  fromId: string;
  toId: string;
  relation: string;
}

interface LineageInput {
  nodes: readonly LineageNode[];
  /** Edges are drawn if both ends are among the nodes. */
  edges: readonly LineageEdge[];
  /** The relations that have a stroke of their own, in the order of the colours. */
  relations: readonly string[];
}

/** In CSS pixels; narrow enough to be read on a phone. */
const WIDTH = 340;
const ROW_HEIGHT = 46;
const MARGIN = 10;
const LEGEND_ROW_HEIGHT = 22;
const LEGEND_COLUMN_WIDTH = 140;
/** Left edge of the nodes. The curves of the edges are to the left of it; each layer indents by one step. */
const GUTTER = 96;
const LAYER_INDENT = 14;
const LAYERS_INDENTED_MAX = 6;
const BOW_PER_ROW = 17;
const RADIUS = 6;
const NAME_GAP = 14;

/** Dash patterns, so that colour is not the only sign of a relation. */
const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '4 4'];

interface Place {
  x: number;
  y: number;
}

/**
 * Draws what a finding rests on above it and what rests on it below, one node a row. Each link is a curve with an
 * arrowhead at the node that the link is about. Equal input gives equal text; the height grows with the number of
 * nodes.
 */
export function lineageChart({ nodes, edges, relations }: LineageInput, { label }: Pick<Picture, 'label'>): string {
  const rows = [...nodes].sort((a, b) => a.layer - b.layer);
  const highest = Math.min(...rows.map(({ layer }) => layer));
  const places = new Map(
    rows.map((node, row): [string, Place] => [
      node.id,
      {
        x: GUTTER + Math.min(LAYERS_INDENTED_MAX, node.layer - highest) * LAYER_INDENT,
        y: MARGIN + (row + 0.5) * ROW_HEIGHT,
      },
    ]),
  );
  const used = relations.filter((relation) => edges.some((edge) => edge.relation === relation));
  const legendTop = 2 * MARGIN + rows.length * ROW_HEIGHT;
  const legendRows = Math.ceil(used.length / Math.floor((WIDTH - MARGIN) / LEGEND_COLUMN_WIDTH));
  const height = legendTop + legendRows * LEGEND_ROW_HEIGHT + MARGIN;
  return svgOf({ label, width: WIDTH, height }, [
    `<defs>${relations.map((_, place) => arrow(place)).join('')}</defs>`,
    ...edges.map((edge) => bow(edge, places, relations)),
    ...rows.map((node) => nodeMark(node, places.get(node.id)!)),
    ...used.map((relation, place) => legendEntry(relation, relations.indexOf(relation), place, legendTop)),
  ]);
}

function stroke(place: number): string {
  return `fill="none" stroke="${colourOf(place)}" stroke-width="2" stroke-dasharray="${DASHES[place % DASHES.length]}"`;
}

function arrow(place: number): string {
  return `<marker id="lineage-head-${place}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="${colourOf(place)}"/></marker>`;
}

function bow(
  { fromId, toId, relation }: LineageEdge,
  places: Map<string, Place>,
  relations: readonly string[],
): string {
  const [from, to] = [places.get(fromId), places.get(toId)];
  const place = relations.indexOf(relation);
  if (from === undefined || to === undefined || place === -1) return '';
  const rows = Math.abs(from.y - to.y) / ROW_HEIGHT;
  const left = Math.max(MARGIN, Math.min(from.x, to.x) - RADIUS - BOW_PER_ROW * (rows + 1));
  const end = `${to.x - RADIUS - 2} ${to.y}`;
  return `<path d="M${from.x - RADIUS} ${from.y}C${left} ${from.y} ${left} ${to.y} ${end}" ${stroke(place)} marker-end="url(#lineage-head-${place})"/>`;
}

function nodeMark({ name, note, layer }: LineageNode, { x, y }: Place): string {
  const own = layer === 0;
  const clip = `lineage-row-${Math.round(y)}`;
  const left = x + NAME_GAP;
  return [
    own
      ? `<rect x="2" y="${y - ROW_HEIGHT / 2 + 2}" width="${WIDTH - 4}" height="${ROW_HEIGHT - 4}" rx="6" fill="none" stroke="${RULE}"/>`
      : '',
    `<circle cx="${x}" cy="${y}" r="${RADIUS}" fill="${own ? INK : 'none'}" stroke="${INK}" stroke-width="2"/>`,
    `<clipPath id="${clip}"><rect x="${left}" y="${y - ROW_HEIGHT / 2}" width="${WIDTH - MARGIN - left}" height="${ROW_HEIGHT}"/></clipPath>`,
    `<g clip-path="url(#${clip})"><text x="${left}" y="${y - 3}" font-size="14"${own ? ' font-weight="bold"' : ''}>${escapeMarkup(name)}</text>`,
    `<text x="${left}" y="${y + 14}">${escapeMarkup(note)}</text></g>`,
  ].join('');
}

function legendEntry(relation: string, place: number, column: number, top: number): string {
  const perRow = Math.floor((WIDTH - MARGIN) / LEGEND_COLUMN_WIDTH);
  const x = MARGIN + (column % perRow) * LEGEND_COLUMN_WIDTH;
  const y = top + Math.floor(column / perRow) * LEGEND_ROW_HEIGHT + LEGEND_ROW_HEIGHT / 2;
  return `<path d="M${x} ${y}h28" ${stroke(place)}/><text x="${x + 36}" y="${y + 4}">${escapeMarkup(relation.replace('_', ' '))}</text>`;
}
