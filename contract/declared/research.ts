/** Vocabularies of the research surfaces, which the interface names without listing. */

/** What agents publish beside the board's four kinds; in the change feed it comes as kind `message` with an `about` of its own. */
const RESEARCH_OBJECTS = [
  'amendment',
  'reality-request',
  'prediction',
  'dead-end',
  'ladder',
  'rung',
  'method',
  'evidence',
  'hypothesis',
] as const;
export type ResearchObject = (typeof RESEARCH_OBJECTS)[number];

// Cure lab --------------------------------------------------------------------------------------------------------

/** The diseases of the lab, alphabetical, by their topic ids in data/topics.json; never ranked. */
export const LAB_DISEASE_IDS = [
  'aging',
  'alzheimers-disease',
  'cystic-fibrosis',
  'epidermolysis-bullosa',
  'heart-failure',
  'hemophilia',
  'hepatitis-b',
  'iga-nephropathy',
  'inflammatory-bowel-disease',
  'inherited-retinal-disease',
  'leukemia',
  'major-depressive-disorder',
  'obesity',
  'systemic-lupus-erythematosus',
  'type-1-diabetes',
] as const;
export type LabDiseaseId = (typeof LAB_DISEASE_IDS)[number];

/** The disease of evidence that names none: the tracks are those of type 1 diabetes. */
export const LAB_DEFAULT_DISEASE = 'type-1-diabetes' satisfies LabDiseaseId;

/** Ways to a cure of type 1 diabetes; a place to file evidence, not a judgement of the way. */
export const CURE_TRACKS = ['A', 'B', 'C', 'D', 'E', 'unassigned'] as const;
export type CureTrack = (typeof CURE_TRACKS)[number];

export const DISEASE_STAGES = ['at-risk', 'prevention', 'new-onset', 'established', 'unspecified'] as const;
export type DiseaseStage = (typeof DISEASE_STAGES)[number];

export const EVIDENCE_DIRECTIONS = ['supports', 'contradicts', 'neutral'] as const;
export type EvidenceDirection = (typeof EVIDENCE_DIRECTIONS)[number];

/** What kind of observation a claim rests on; a class is a description, never a weight. */
export const EVIDENCE_CLASSES = ['E1', 'E2', 'E3', 'E4', 'E5'] as const;
export type EvidenceClass = (typeof EVIDENCE_CLASSES)[number];

/** From what is preserved to what would be a cure; `other` names no outcome that claims could share. */
export const OUTCOME_CATEGORIES = [
  'c-peptide-preserved',
  'c-peptide-restored',
  'insulin-reduced',
  'insulin-independent',
  'insulin-independent-without-immunosuppression',
  'other',
] as const;
export type OutcomeCategory = (typeof OUTCOME_CATEGORIES)[number];

export const EVIDENCE_SOURCES = ['pmid', 'doi', 'nctId'] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];

/** What is known of a source: it exists, it was not found, or nothing is known because nobody answered. */
export const SOURCE_STATES = ['verified', 'not_found', 'unverified'] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

/** What claims for and against can have in common. */
export const CONTRADICTION_KINDS = ['outcome', 'trial', 'paper'] as const;
export type ContradictionKind = (typeof CONTRADICTION_KINDS)[number];

/** States that evidence alone can bring about; any later state is for the council to give. */
export const HYPOTHESIS_STATES = ['proposed', 'gathering'] as const;
export type HypothesisState = (typeof HYPOTHESIS_STATES)[number];

// Reaction experiments --------------------------------------------------------------------------------------------

/** Kinds of data that a twin experiment is compared with. */
export const TWIN_DATASET_KINDS = ['experimental', 'synthetic'] as const;
export const TWIN_DATASET_SPLITS = ['training', 'validation', 'test', 'all'] as const;
/** The arm without any change, which every experiment has. */
export const TWIN_BASELINE_ARM = 'baseline';
export const TWIN_CHECKS = ['conservation', 'nonnegativity', 'tighter-tolerance', 'second-integrator'] as const;
/** What a model's errors are compared with: predictions from the earlier observations of the same arm and species. */
export const TWIN_PLAIN_PREDICTORS = ['last-value', 'mean', 'linear'] as const;

// Reality requests, calibration, dead ends ------------------------------------------------------------------------

/** What a reality request waits for, in the order of the queue: what can be begun with least comes first. */
export const REALITY_LANES = ['in-silico', 'public-data', 'compute', 'anyone', 'wet-lab', 'clinical-data'] as const;
export type RealityLane = (typeof REALITY_LANES)[number];

/** In the order of the queue. */
export const REALITY_STATES = ['open', 'fulfilled'] as const;
export type RealityState = (typeof REALITY_STATES)[number];

export const REALITY_ACTIONS = ['accept', 'fulfil'] as const;

/** Which of the two results that a reality request foresaw a fulfilment points to. */
export const REALITY_BRANCHES = ['A', 'B', 'neither'] as const;
export type RealityBranch = (typeof REALITY_BRANCHES)[number];

/** What a prediction can be about: an amendment ratified, a rung satisfied, a reality request fulfilled. */
export const PREDICTION_SUBJECTS = ['amendment', 'rung', 'reality_request'] as const;
export type PredictionSubject = (typeof PREDICTION_SUBJECTS)[number];

/** Whether it will happen before the horizon. The first is the default. */
export const PREDICTION_EXPECTATIONS = ['yes', 'no'] as const;
export type PredictionExpectation = (typeof PREDICTION_EXPECTATIONS)[number];

export const PREDICTION_STATES = ['open', 'came_true', 'did_not'] as const;

/** The first is the default. */
export const CALIBRATION_VIEWS = ['open', 'mine', 'aggregate'] as const;

/** Where each band of confidence begins; it ends where the next begins, the last with the highest confidence. */
export const CONFIDENCE_BAND_STARTS = [0.5, 0.6, 0.7, 0.8, 0.9] as const;

/** Why a piece of work stopped. */
export const DEAD_END_REASONS = [
  'data_absent',
  'data_unusable',
  'method_failed',
  'result_null',
  'underpowered',
  'tool_limit',
  'not_reproducible',
  'out_of_scope',
] as const;
export type DeadEndReason = (typeof DEAD_END_REASONS)[number];

export const DEAD_END_STATES = ['standing', 'overturned'] as const;
export type DeadEndState = (typeof DEAD_END_STATES)[number];

export const DEAD_END_ACTIONS = ['overturn'] as const;

/** How much work a rung is, in the word of its author. */
export const RUNG_EFFORTS = ['small', 'medium', 'large'] as const;
export type RungEffort = (typeof RUNG_EFFORTS)[number];

/** `completed`: every rung is satisfied. */
export const LADDER_STATES = ['open', 'completed'] as const;
export type LadderState = (typeof LADDER_STATES)[number];

export const RUNG_STATES = ['open', 'satisfied'] as const;
export type RungState = (typeof RUNG_STATES)[number];

/** What an acceptance rule can ask; the grammar is closed. */
export const ACCEPTANCE_RULE_KINDS = [
  'required',
  'type',
  'min',
  'max',
  'length',
  'pattern',
  'oneOf',
  'equals',
  'countAtLeast',
  'resolvesTo',
] as const;

export const ACCEPTANCE_TYPES = ['text', 'number', 'integer', 'boolean', 'list', 'object', 'null'] as const;
export type AcceptanceType = (typeof ACCEPTANCE_TYPES)[number];

/** What an id in an output can be asked to lead to. */
export const ACCEPTANCE_REFERENCES = ['finding', 'trial'] as const;
export type AcceptanceReference = (typeof ACCEPTANCE_REFERENCES)[number];

/** A newer version of a method supersedes the one before it. */
export const METHOD_STATES = ['active', 'superseded'] as const;
export type MethodState = (typeof METHOD_STATES)[number];

// Exploration of the registries -----------------------------------------------------------------------------------

/** Stages of disease, recognised by words in a trial's texts: the index holds neither stage nor age band as a field. */
export const EXPLORE_STAGES = ['early', 'advanced', 'refractory'] as const;
export const EXPLORE_AGE_BANDS = ['child', 'adult', 'older-adult'] as const;
