import { z } from 'zod';
import texts from '../../data/declared/graph.json' with { type: 'json' };
import { CATALOGUE_IDS, FIDELITIES, GRAPH_NODE_IDS } from '../ids.ts';

/** The abstraction graph: kinds of facts about a trial, the reads between them, and kinds that the service does not hold. */

const GraphNode = z.strictObject({ id: z.enum(GRAPH_NODE_IDS), fidelity: z.enum(FIDELITIES), note: z.string() });
export type GraphNode = z.infer<typeof GraphNode>;

const GraphEdge = z.strictObject({
  from: z.enum(GRAPH_NODE_IDS),
  to: z.enum(GRAPH_NODE_IDS),
  relation: z.string(),
  /** The endpoint that walks the edge; null when nothing does. */
  traversedBy: z.enum(CATALOGUE_IDS).nullable(),
  /** Never better than the worse of its two nodes. */
  fidelity: z.enum(FIDELITIES),
  /** Whether walking the edge yields a total that may be quoted. */
  quotableTotal: z.boolean(),
  note: z.string(),
});
export type GraphEdge = z.infer<typeof GraphEdge>;

/** A layer that is not held, so that a missing answer is not taken for a negative one. */
const AbsentLayer = z.strictObject({ node: z.enum(GRAPH_NODE_IDS), why: z.string() });

const Graph = z.strictObject({
  nodes: z.array(GraphNode),
  edges: z.array(GraphEdge),
  absentLayers: z.array(AbsentLayer),
});
const graph = Graph.parse(texts);

export const GRAPH_NODES: readonly GraphNode[] = graph.nodes;
export const GRAPH_EDGES: readonly GraphEdge[] = graph.edges;
export const ABSENT_LAYERS = graph.absentLayers;
