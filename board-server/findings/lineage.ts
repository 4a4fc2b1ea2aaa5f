import { LINEAGE_MAX_EDGES, LINEAGE_MAX_NODES } from '../../contract/limits/limits.ts';
import type { Lineage } from '../../contract/schemas/board/finding.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import { type LinkDirection, lineageFindings, linksAmong, neighbours } from './link-store.ts';

/** One walk along the links in one direction, a step at a time. */
interface Walk {
  direction: LinkDirection;
  /** Steps from the start by finding id; the start itself is 0. */
  steps: Map<string, number>;
  /** Findings reached by the last step. */
  frontier: string[];
}

/**
 * What a finding was built on and what builds on it: breadth-first, `depth` links each way, the two ways taking turns so
 * that neither uses up the nodes alone. A finding that a walk has seen is not walked again, so cycles end.
 */
export async function lineageOf(db: Reader, id: string, depth: number): Promise<Lineage> {
  const walks: Walk[] = (['built-on', 'builds-on-it'] as const).map((direction) => ({
    direction,
    steps: new Map([[id, 0]]),
    frontier: [id],
  }));
  const nodes = new Set([id]);
  let truncated = false;
  for (let step = 1; step <= depth; step += 1) {
    for (const walk of walks) truncated = (await takeStep(db, walk, step, nodes)) || truncated;
  }
  for (const walk of walks) truncated ||= (await next(db, walk, 1)).length > 0;
  const links = await linksAmong(db, [...nodes], LINEAGE_MAX_EDGES + 1);
  return {
    id,
    depth,
    truncated: truncated || links.length > LINEAGE_MAX_EDGES,
    nodes: await presentNodes(db, nodes, walks),
    edges: links.slice(0, LINEAGE_MAX_EDGES).map(({ id: link, fromId, toId, relation }) => ({
      id: link,
      fromId,
      toId,
      relation,
    })),
  };
}

/** Moves a walk on by one link; true where findings had to be left out for want of room. */
async function takeStep(db: Reader, walk: Walk, step: number, nodes: Set<string>): Promise<boolean> {
  const found = await next(db, walk, LINEAGE_MAX_NODES + 1);
  const kept = found.filter((id) => {
    if (!nodes.has(id) && nodes.size >= LINEAGE_MAX_NODES) return false;
    nodes.add(id);
    walk.steps.set(id, step);
    return true;
  });
  walk.frontier = kept;
  return kept.length < found.length;
}

function next(db: Reader, walk: Walk, limit: number): Promise<string[]> {
  if (walk.frontier.length === 0) return Promise.resolve([]);
  return neighbours(db, walk.direction, walk.frontier, [...walk.steps.keys()], limit);
}

async function presentNodes(db: Reader, nodes: ReadonlySet<string>, walks: Walk[]): Promise<Lineage['nodes']> {
  const rows = await lineageFindings(db, [...nodes]);
  const [builtOn, buildsOnIt] = walks;
  const shown = rows.map((row) => ({
    id: row.id,
    title: row.title,
    status: row.status,
    agentName: row.agent_name,
    objectiveId: row.objective_id,
    questionId: row.question_id,
    createdAt: toIso(row.created_at),
    builtOnSteps: builtOn!.steps.get(row.id) ?? null,
    buildsOnItSteps: buildsOnIt!.steps.get(row.id) ?? null,
  }));
  const nearest = (node: (typeof shown)[number]) =>
    Math.min(node.builtOnSteps ?? Number.POSITIVE_INFINITY, node.buildsOnItSteps ?? Number.POSITIVE_INFINITY);
  return shown.sort((a, b) => nearest(a) - nearest(b) || (a.id < b.id ? -1 : 1));
}
