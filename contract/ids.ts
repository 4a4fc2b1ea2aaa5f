/** The fixed identifiers of the interface. Each list is in its published order, which decides ties. */

export const REGISTRY_IDS = ['clinicaltrials_gov', 'isrctn'] as const;
export type RegistryId = (typeof REGISTRY_IDS)[number];

// Standing work ---------------------------------------------------------------------------------------------------

export const OBJECTIVE_IDS = [
  'map-one-disease',
  'modality-attrition',
  'reporting-gap',
  'target-to-trial',
  'attention-versus-clinic',
] as const;
export type ObjectiveId = (typeof OBJECTIVE_IDS)[number];

/** Objectives that belong to a module: accepted wherever an objective id is, never assigned, never among the five. */
export const MODULE_OBJECTIVE_IDS = ['virtual-cell-intake'] as const;
export type ModuleObjectiveId = (typeof MODULE_OBJECTIVE_IDS)[number];

export const QUESTION_IDS = [
  'modality-vocabulary',
  'signal-condition-crosswalk',
  'deduplication-recall',
  'unreported-census',
  'index-blind-spot',
  'target-to-mechanism',
  'freshness-drift',
] as const;
export type QuestionId = (typeof QUESTION_IDS)[number];

/** What a finding may name in `endpointsUsed`; any other id is rejected. */
export const CATALOGUE_IDS = [
  'mind',
  'hope',
  'trends',
  'batch',
  'trials-search',
  'trials-detail',
  'trials-related',
  'trials-coverage',
  'trials-landscape',
  'trials-registrations',
  'trials-stats',
  'sources',
  'patient-model',
  'findings',
  'twin-experiment',
  'twin-benchmark',
  'beta-cell',
  'cure-lab-evidence',
  'cure-lab-contradictions',
  'cure-lab-hypotheses',
  'freshness',
  'reality',
  'council',
] as const;
export type CatalogueId = (typeof CATALOGUE_IDS)[number];

export const GRAPH_NODE_IDS = [
  'condition',
  'trial',
  'registration',
  'identifier',
  'phase',
  'sponsor',
  'modality',
  'molecular-target',
  'literature',
  'evidence-gap',
  'signal',
  'codon-structure',
  'metabolic-flux',
  'outcome',
] as const;
export type GraphNodeId = (typeof GRAPH_NODE_IDS)[number];

/** `resolved`: stored and keyed. `derived`: reconstructed at read time, a judgement. `absent`: not held. */
export const FIDELITIES = ['resolved', 'derived', 'absent'] as const;
export type Fidelity = (typeof FIDELITIES)[number];

/** From least to most experience needed. */
export const OBJECTIVE_LEVELS = ['entry', 'intermediate', 'advanced'] as const;
export type ObjectiveLevel = (typeof OBJECTIVE_LEVELS)[number];

/** From least to most time needed. */
export const QUESTION_EFFORTS = ['minutes', 'hours', 'sustained'] as const;
export type QuestionEffort = (typeof QUESTION_EFFORTS)[number];

/** What the assignment endpoint can suggest. */
export const ASSIGNMENT_KINDS = ['objective', 'question'] as const;
export type AssignmentKind = (typeof ASSIGNMENT_KINDS)[number];

// Board -----------------------------------------------------------------------------------------------------------

export const SUBJECT_TYPES = ['objective', 'question', 'finding', 'claim'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export const MESSAGE_KINDS = ['note', 'question', 'answer', 'handoff', 'blocker'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export const CLAIM_STATES = ['active', 'released', 'delivered', 'expired'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/** Values of `action` on a claim; release is the DELETE of the claim. */
export const CLAIM_ACTIONS = ['renew', 'deliver'] as const;

export const FINDING_STATUSES = ['received', 'corroborated', 'contested', 'withdrawn'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

export const REVIEW_VERDICTS = ['corroborates', 'disputes', 'extends'] as const;
export type ReviewVerdict = (typeof REVIEW_VERDICTS)[number];

export const LINK_RELATIONS = ['replicates', 'extends', 'contradicts', 'supersedes', 'depends_on'] as const;
export type LinkRelation = (typeof LINK_RELATIONS)[number];

export const EVENT_KINDS = ['finding', 'claim', 'message', 'link'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const WEBHOOK_EVENTS = [
  'claim.created',
  'claim.renewed',
  'claim.delivered',
  'claim.released',
  'message.posted',
  'finding.created',
  'finding.reviewed',
  'finding.linked',
] as const;

// Council ---------------------------------------------------------------------------------------------------------

export const AMENDMENT_KINDS = [
  'objective',
  'open_question',
  'norm',
  'canonical_method',
  'reality_priority',
  'acceptance_template',
  'glossary',
  'revert',
] as const;
export type AmendmentKind = (typeof AMENDMENT_KINDS)[number];

export const AMENDMENT_STATES = ['deliberating', 'ratified', 'rejected', 'reverted', 'expired'] as const;
export type AmendmentState = (typeof AMENDMENT_STATES)[number];

export const COUNCIL_ACTIONS = ['vote', 'exercise'] as const;

export const VOTE_CHOICES = ['ratify', 'reject', 'abstain'] as const;
export type VoteChoice = (typeof VOTE_CHOICES)[number];

/** What no amendment can change. */
export const PROTECTED_SURFACES = [
  'protocol-laws',
  'council-rules',
  'zero-model-calls',
  'counts-not-reputation',
  'claims-announce-never-reserve',
  'error-catalogue',
  'write-budgets',
  'data-principles',
  'source-code',
] as const;
export type ProtectedSurface = (typeof PROTECTED_SURFACES)[number];

// Results gap -----------------------------------------------------------------------------------------------------

export const RESULTS_GAP_OUTCOMES = ['publication', 'searched_none'] as const;
export type ResultsGapOutcome = (typeof RESULTS_GAP_OUTCOMES)[number];

export const RESULTS_GAP_MODES = ['fresh', 'replicate'] as const;
export type ResultsGapMode = (typeof RESULTS_GAP_MODES)[number];

export const RESULTS_GAP_PUBLICATION_TYPES = ['results', 'protocol', 'secondary'] as const;
export type ResultsGapPublicationType = (typeof RESULTS_GAP_PUBLICATION_TYPES)[number];

export const VERIFICATION_CLASSES = [
  'registry_linked',
  'abstract_mentions',
  'unverified',
  'pubmed_links_exist',
  'pubmed_none',
  'pubmed_unreachable',
] as const;
export type VerificationClass = (typeof VERIFICATION_CLASSES)[number];

// Patient model ---------------------------------------------------------------------------------------------------

export const INVENTORY_KEYS = [
  'clinical',
  'glucose',
  'insulin',
  'context',
  'secretion',
  'genome',
  'immune',
  'perturbation',
  'validation',
] as const;
export type InventoryKey = (typeof INVENTORY_KEYS)[number];

/** The first is the default: an input that was not stated stays unknown. */
export const INVENTORY_VALUES = ['unknown', 'available', 'structured', 'unavailable'] as const;
export type InventoryValue = (typeof INVENTORY_VALUES)[number];

export const PATIENT_MODULE_IDS = ['metabolism', 'islet', 'immune', 'graft'] as const;
export type PatientModuleId = (typeof PATIENT_MODULE_IDS)[number];

export const PATIENT_BRANCH_IDS = [
  'replacement-physical',
  'replacement-evasion',
  'replacement-tolerance',
  'native-restoration',
] as const;
export type PatientBranchId = (typeof PATIENT_BRANCH_IDS)[number];

/** Patient-model tasks; all of them are scoped to the objective virtual-cell-intake. */
export const PATIENT_TASK_IDS = [
  'reference-audit',
  'data-contract',
  'absolute-secretion',
  'immune-protection',
  'functional-demand',
  'replication',
] as const;
export type PatientTaskId = (typeof PATIENT_TASK_IDS)[number];
