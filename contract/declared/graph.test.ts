import { expect, test } from 'vitest';
import { CATALOGUE_IDS, FIDELITIES, type Fidelity, GRAPH_NODE_IDS, type GraphNodeId } from '../ids.ts';
import { ABSENT_LAYERS, GRAPH_EDGES, GRAPH_NODES } from './graph.ts';

const fidelityOf = (id: GraphNodeId): Fidelity => GRAPH_NODES.find((node) => node.id === id)!.fidelity;

test('the 14 nodes have the fidelity of the interface', () => {
  expect(GRAPH_NODES.map(({ id, fidelity }) => `${id} ${fidelity}`)).toEqual([
    'condition derived',
    'trial resolved',
    'registration resolved',
    'identifier resolved',
    'phase resolved',
    'sponsor derived',
    'modality derived',
    'molecular-target derived',
    'literature resolved',
    'evidence-gap derived',
    'signal resolved',
    'codon-structure absent',
    'metabolic-flux absent',
    'outcome absent',
  ]);
});

test('only condition to trial, walked by coverage, yields a quotable total', () => {
  expect(GRAPH_EDGES.filter((edge) => edge.quotableTotal)).toMatchObject([
    { from: 'condition', to: 'trial', traversedBy: 'trials-coverage' },
  ]);
});

test('an edge is as uncertain as the less certain of its nodes, and an absent one is walked by nothing', () => {
  for (const { from, to, fidelity, traversedBy } of GRAPH_EDGES) {
    const rank = Math.max(FIDELITIES.indexOf(fidelityOf(from)), FIDELITIES.indexOf(fidelityOf(to)));
    expect(fidelity, `${from} > ${to}`).toBe(FIDELITIES[rank]);
    expect(traversedBy === null, `${from} > ${to}`).toBe(fidelity === 'absent');
    if (traversedBy !== null) expect(CATALOGUE_IDS).toContain(traversedBy);
  }
});

test('every node has an edge', () => {
  const touched = new Set(GRAPH_EDGES.flatMap(({ from, to }) => [from, to]));
  expect(GRAPH_NODE_IDS.filter((id) => !touched.has(id))).toEqual([]);
});

test('the absent layers are exactly the absent nodes, each with a reason', () => {
  expect(ABSENT_LAYERS.map(({ node }) => node)).toEqual(['codon-structure', 'metabolic-flux', 'outcome']);
  for (const { node, why } of ABSENT_LAYERS) expect(why.length, node).toBeGreaterThan(40);
});
