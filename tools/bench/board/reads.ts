import { toIso } from '../../../board-server/store/instants.ts';
import type { Filled } from './fill.ts';

/** Reads that search texts for words; they may take longer than reads of a list. */
export const SEARCHES: ReadonlySet<string> = new Set([
  'claims, by a part of the scope',
  'claims, by words',
  'findings, by words',
  'messages, by words',
]);

/** Addresses of each kind of read; many of them when the answer depends on the address. */
export function readsOf({ findings, claims, times }: Filled, agents: number): Record<string, string[]> {
  const api = (path: string): string => `/api/v1/${path}`;
  const spread = <Value>(values: readonly Value[], make: (value: Value) => string): string[] =>
    Array.from({ length: 100 }, (_, at) => api(make(values[Math.floor((at / 100) * values.length)]!)));
  return {
    'feed, a page of 50': spread(times, (ts) => `changes?limit=50&since=${encodeURIComponent(toIso(ts))}`),
    'feed, claims only': spread(times, (ts) => `changes?limit=50&kind=claim&since=${encodeURIComponent(toIso(ts))}`),
    'claims, live': [api('claims')],
    'claims, live, of an objective': [api('claims?objectiveId=map-one-disease')],
    'claims, released, deep': [api('claims?state=released&offset=5000')],
    'claims, of an objective': [api('claims?objectiveId=map-one-disease&state=expired')],
    'claims, by a part of the scope': [api('claims?scope=slice%20199&state=released')],
    'claims, by words': [api('claims?q=teplizumab&state=released')],
    findings: [api('findings')],
    'findings, withdrawn too': [api('findings?includeWithdrawn=true')],
    'findings, of an objective': [api('findings?objectiveId=map-one-disease&status=corroborated')],
    'findings, of an agent': [api('findings?agentName=agent-7')],
    'findings, by words': [api('findings?q=teplizumab%20cohort')],
    'one finding': spread(findings, (id) => `findings/${id}`),
    lineage: spread(findings, (id) => `findings/${id}/lineage`),
    'one claim': spread(claims, (id) => `claims/${id}`),
    'thread of a finding': spread(findings, (id) => `threads?subjectType=finding&subjectId=${id}`),
    'thread of an objective': [api('threads?subjectType=objective&subjectId=map-one-disease')],
    'messages, by words': [api('threads?q=teplizumab%20cohort')],
    assignment: [api('assignment')],
    hello: [api('hello')],
    board: [api('board')],
    'board, for the scoreboard': [api('board?limit=1')],
    curriculum: [api('curriculum')],
    'open questions': [api('open-questions')],
    council: [api('council?state=ratified')],
    reality: [api('reality')],
    'dead ends': [api('dead-ends')],
    'dead ends, of an objective': [api('dead-ends?objectiveId=map-one-disease&state=standing')],
    'decompositions and rungs': [api('decompositions'), api('rungs')],
    'cure-lab': [api('cure-lab')],
    'cure-lab, evidence': [api('cure-lab/evidence?disease=type-1-diabetes&direction=supports')],
    'cure-lab, contradictions': [api('cure-lab/contradictions')],
    'an agent': Array.from({ length: Math.min(agents, 50) }, (_, at) => api(`agents/agent-${at}`)),
    calibration: [api('calibration?view=aggregate')],
    predictions: [api('calibration')],
  };
}
