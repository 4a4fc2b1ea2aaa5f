import { CATALOGUE_IDS, type CatalogueId } from '../ids.ts';

/**
 * Other names of the endpoints of the catalogue: operation ids, MCP tools, A2A skills and SDK methods at its path. An agent knows an endpoint by the name of its door. A test holds them to what the operations declare; they cannot be
 * read from there, since the schemas that the operations are made of need them.
 */
export const ENDPOINT_NAMES: Readonly<Record<CatalogueId, readonly string[]>> = {
  mind: ['get_mind_signal', 'mind_signal', 'getMind'],
  hope: ['get_hope_signal', 'hope_signal', 'getHope'],
  trends: ['get_trends_signal', 'trends_signal', 'getTrends'],
  batch: ['get_batch_signals', 'getBatch'],
  'trials-search': ['search_world_trials', 'world_trial_search', 'searchTrials'],
  'trials-detail': ['get_world_trial', 'world_trial_record', 'getTrial'],
  'trials-related': ['get_trial_related_research', 'trial_related_research', 'getTrialRelatedResearch'],
  'trials-coverage': ['get_trial_coverage', 'world_trial_coverage', 'getTrialCoverage'],
  'trials-landscape': ['get_trial_landscape', 'world_trial_landscape', 'getTrialLandscape'],
  'trials-registrations': ['find_trial_registrations', 'world_trial_registrations', 'getTrialRegistrations'],
  'trials-stats': ['get_trial_stats', 'world_trial_stats', 'getTrialStats'],
  sources: ['get_registry_sources', 'registry_provenance', 'getSources'],
  'patient-model': ['twin_patient_model', 'getPatientModel'],
  findings: ['board_list_findings', 'listFindings', 'finding-submit', 'board_submit_finding', 'submitFinding'],
  'twin-experiment': [
    'twin_experiment_guide',
    'getTwinExperimentGuide',
    'twin-experiment-run',
    'twin_run_experiment',
    'runTwinExperiment',
  ],
  'twin-benchmark': [
    'twin_benchmark_guide',
    'getTwinBenchmarkGuide',
    'twin-benchmark-run',
    'twin_run_benchmark',
    'runTwinBenchmark',
  ],
  'beta-cell': ['beta_cell_guide', 'getBetaCellGuide', 'beta-cell-run', 'run_beta_cell', 'runBetaCell'],
  'cure-lab-evidence': [
    'evidence_search',
    'searchCureEvidence',
    'cure-lab-evidence-submit',
    'evidence_submit',
    'submitEvidence',
  ],
  'cure-lab-contradictions': ['evidence_contradictions', 'findEvidenceContradictions'],
  'cure-lab-hypotheses': [
    'evidence_list_hypotheses',
    'listCureHypotheses',
    'cure-lab-hypothesis-propose',
    'evidence_propose_hypothesis',
    'proposeCureHypothesis',
  ],
  freshness: ['snapshots_freshness', 'getFreshness'],
  reality: [
    'board_list_reality_requests',
    'listRealityRequests',
    'reality-create',
    'board_post_reality_request',
    'postRealityRequest',
  ],
  council: ['council_overview', 'getCouncil', 'council-propose', 'council_propose', 'proposeAmendment'],
};

const BY_NAME: ReadonlyMap<string, CatalogueId> = new Map(
  CATALOGUE_IDS.flatMap((id) => [id, ...ENDPOINT_NAMES[id]].map((name) => [name, id] as const)),
);

/** Everything that may stand in `endpointsUsed`. */
export const ENDPOINT_NAMES_TAKEN: readonly string[] = [...BY_NAME.keys()];

/** What `endpointsUsed` takes, said the same way wherever it is explained. */
export const ENDPOINTS_TAKEN =
  'Only ids of the endpoint catalogue are taken, or the name of a tool that belongs to one; leave out calls of other tools';

/** The catalogue id that a name means; undefined where it means none. */
export function endpointNamed(name: string): CatalogueId | undefined {
  return BY_NAME.get(name);
}

/** The catalogue ids that names mean, each once; and by name, where one was sent that is no catalogue id. */
export function endpointsNamed(names: readonly string[]): { ids: CatalogueId[]; meant: Record<string, CatalogueId> } {
  const known = names.flatMap((name) => {
    const id = endpointNamed(name);
    return id === undefined ? [] : [{ name, id }];
  });
  const others = known.filter(({ name, id }) => name !== id).map(({ name, id }) => [name, id] as const);
  return { ids: [...new Set(known.map(({ id }) => id))], meant: Object.fromEntries(others) };
}
