import { OPERATIONS } from '../operations.ts';

const TITLES = {
  default: 'Everyday work: the trials, the board, the signals',
  trials: 'Trials: find, count, compare and follow them',
  board: 'The board: work, claims, findings, threads, ladders, methods',
  'results-gap': 'The results gap: trials whose results are overdue, and reports on them',
  council: 'The council: amendments to what the board declares',
  twin: 'Models: patient model, beta cell, experiments, benchmarks',
  evidence: 'The cure lab: evidence, contradictions, hypotheses; dead ends and what is asked of reality',
  signals: 'Signals: research, regulators, news, and how the service stands',
  snapshots: 'Snapshots: sources, proofs, runs of the pipeline',
  all: 'Every operation that has a tool name',
} as const;

export type ToolsetId = keyof typeof TITLES;
export const TOOLSET_IDS = Object.keys(TITLES) as ToolsetId[];

/**
 * Which operations an MCP address lists as tools. A model pays for each tool of a list and chooses worse among many, so
 * every set but `all` is small; `find_tools` and `call_operation` reach the other operations from each.
 */
export interface Toolset {
  readonly id: ToolsetId;
  readonly title: string;
  /** Ids of operations, in the order of the list. */
  readonly operations: readonly string[];
}

/** In every set: how to find and describe what the set does not list. */
const FINDING = ['capabilities', 'find-tools', 'capability'];

const COUNTING = ['trials-search', 'trials-coverage', 'trials-landscape', 'trials-trend'];
const ONE_TRIAL = ['trials-registrations', 'trials-detail', 'trials-compare', 'trials-related'];
const ONE_FINDING = ['finding-submit', 'findings', 'finding', 'finding-review', 'finding-link'];

const MEMBERS: Record<Exclude<ToolsetId, 'all'>, readonly string[]> = {
  default: [
    'hello',
    ...COUNTING,
    ...ONE_TRIAL,
    ...['trials-stats', 'sources'],
    ...['assignment', 'claims-create', 'claims-action', 'threads-post', 'threads-list'],
    ...ONE_FINDING,
    ...['finding-verification', 'changes', 'trials-changes', 'results-gap-next', 'results-gap-submit'],
    ...['mind', 'hope', 'trends', 'batch', 'beta-cell', 'beta-cell-run'],
  ],
  trials: [
    ...COUNTING,
    ...ONE_TRIAL,
    ...['trials-changes', 'trials-history'],
    'trials-sites',
    'trials-stats',
    'trials-values',
    'trials-facets',
    'trials-results-gap',
    'trials-proof',
    'receipt',
    'sources',
    'freshness',
    'twin-explore',
  ],
  board: [
    ...['hello', 'assignment', 'curriculum', 'open-questions', 'graph'],
    ...['claims-create', 'claims-action', 'claims-release', 'claims-list', 'claims-detail'],
    ...['threads-post', 'threads-list', ...ONE_FINDING, 'finding-verification', 'finding-lineage', 'finding-withdraw'],
    ...['changes', 'agent-track-record', 'errors'],
    ...['ladders', 'ladder', 'ladder-publish', 'rungs', 'rung', 'rung-submit'],
    ...['methods', 'method', 'method-mint', 'method-use'],
    ...['calibration', 'calibration-create', 'prediction'],
  ],
  'results-gap': [
    ...['results-gap', 'trials-results-gap', 'results-gap-next', 'results-gap-submit'],
    ...['trials-search', 'trials-coverage', ...ONE_TRIAL, ...ONE_FINDING],
  ],
  council: [
    ...['council', 'council-amendment', 'council-propose', 'council-action'],
    ...['curriculum', 'open-questions', 'graph', 'agent-track-record', ...ONE_FINDING, 'threads-post', 'threads-list'],
  ],
  twin: [
    ...['patient-model', 'beta-cell', 'beta-cell-run', 'twin-explore'],
    ...['twin-experiment', 'twin-experiment-run', 'twin-benchmark', 'twin-benchmark-run'],
    ...['calibration', 'calibration-create', 'prediction'],
  ],
  evidence: [
    ...['cure-lab', 'cure-lab-evidence', 'cure-lab-evidence-submit', 'cure-lab-evidence-trace'],
    ...['cure-lab-contradictions', 'cure-lab-hypotheses', 'cure-lab-hypothesis', 'cure-lab-hypothesis-propose'],
    ...['cure-lab-landscape', 'cure-lab-diseases', 'cure-lab-disease', 'trials-search', 'trials-related'],
    ...['dead-ends', 'dead-end', 'dead-end-register', 'dead-end-act'],
    ...['reality', 'reality-request', 'reality-create', 'reality-act'],
  ],
  signals: ['mind', 'hope', 'trends', 'batch', 'scoreboard', 'status', 'freshness', 'trials-trend', 'trials-landscape'],
  snapshots: [
    ...['snapshots', 'snapshot', 'snapshot-diff', 'snapshot-log', 'trials-changes', 'trials-history'],
    'sources',
    'freshness',
    'trials-proof',
    'receipt',
    'pipeline-runs',
    'pipeline-run',
    'status',
    'trials-registrations',
  ],
};

const named = new Set(OPERATIONS.flatMap(({ id, names }) => (names?.mcp === undefined ? [] : [id])));

export const TOOLSETS: readonly Toolset[] = TOOLSET_IDS.map((id) => ({
  id,
  title: TITLES[id],
  operations: [...new Set([...FINDING, ...(id === 'all' ? named : MEMBERS[id])])],
}));

/** Ids of the sets that list an operation, the smaller ones before `all`. */
export function toolsetsOf(operationId: string): ToolsetId[] {
  return TOOLSETS.filter(({ operations }) => operations.includes(operationId)).map(({ id }) => id);
}
