import type { CatalogueId, Fidelity, GraphNodeId } from '../ids.ts';

/** The abstraction graph: what the service can tell about a trial and by which read, and what it does not hold. */

export interface GraphNode {
  readonly id: GraphNodeId;
  readonly fidelity: Fidelity;
  readonly note: string;
}

export interface GraphEdge {
  readonly from: GraphNodeId;
  readonly to: GraphNodeId;
  readonly relation: string;
  /** The endpoint that walks the edge; null when nothing does. */
  readonly traversedBy: CatalogueId | null;
  /** Never better than the worse of its two nodes. */
  readonly fidelity: Fidelity;
  /** Whether walking the edge yields a total that may be quoted. */
  readonly quotableTotal: boolean;
  readonly note: string;
}

export const GRAPH_NODES: readonly GraphNode[] = [
  {
    id: 'condition',
    fidelity: 'derived',
    note: "The registries' own terms are stored as written; what belongs to one condition is decided by the query.",
  },
  {
    id: 'trial',
    fidelity: 'resolved',
    note: 'A study after its registrations were joined on evidence; one canonical id.',
  },
  { id: 'registration', fidelity: 'resolved', note: 'One record of one registry, kept as received with its checksum.' },
  {
    id: 'identifier',
    fidelity: 'resolved',
    note: 'A registry-issued id. inIndex false marks a mention, never a record held, and is not counted.',
  },
  { id: 'phase', fidelity: 'resolved', note: 'As registered; many trials have none, by design or left blank.' },
  {
    id: 'sponsor',
    fidelity: 'derived',
    note: 'Names are stored as written; that two spellings are one organisation is a judgement.',
  },
  {
    id: 'modality',
    fidelity: 'derived',
    note: 'Not stored; inferred from intervention text and reproducible only with the query terms.',
  },
  {
    id: 'molecular-target',
    fidelity: 'derived',
    note: 'Not stored; inferred from intervention text and reproducible only with the query terms.',
  },
  {
    id: 'literature',
    fidelity: 'resolved',
    note: 'Publications that a registry record declares, and literature records that name an identifier. Never evidence for a merge.',
  },
  {
    id: 'evidence-gap',
    fidelity: 'derived',
    note: 'A completed trial without posted results after a stated time; no statement about compliance.',
  },
  {
    id: 'signal',
    fidelity: 'resolved',
    note: 'A published item with its address, time, source and the terms that matched.',
  },
  { id: 'codon-structure', fidelity: 'absent', note: 'No sequence data is held.' },
  { id: 'metabolic-flux', fidelity: 'absent', note: 'No flux measurement is held.' },
  {
    id: 'outcome',
    fidelity: 'absent',
    note: 'Registered endpoints and whether results are posted are held; measured values are not.',
  },
];

export const GRAPH_EDGES: readonly GraphEdge[] = [
  {
    from: 'condition',
    to: 'trial',
    relation: 'studied in',
    traversedBy: 'trials-coverage',
    fidelity: 'derived',
    quotableTotal: true,
    note: 'The only edge with a quotable total: the distinct count for a query, given with that query and the snapshot.',
  },
  {
    from: 'trial',
    to: 'registration',
    relation: 'registered as',
    traversedBy: 'trials-detail',
    fidelity: 'resolved',
    quotableTotal: false,
    note: 'At most one registration of each registry. Totals of registries are shown side by side and never summed.',
  },
  {
    from: 'identifier',
    to: 'registration',
    relation: 'names',
    traversedBy: 'trials-registrations',
    fidelity: 'resolved',
    quotableTotal: false,
    note: 'Leads to the trial and all its registrations, with the evidence that joined them.',
  },
  {
    from: 'trial',
    to: 'phase',
    relation: 'is in',
    traversedBy: 'trials-landscape',
    fidelity: 'resolved',
    quotableTotal: false,
    note: 'A mix over matching trials. Read fieldCompleteness with it: a blank phase is no phase 0.',
  },
  {
    from: 'trial',
    to: 'sponsor',
    relation: 'is sponsored by',
    traversedBy: 'trials-landscape',
    fidelity: 'derived',
    quotableTotal: false,
    note: 'Concentration over names as registered; subsidiaries and renamed organisations stay apart.',
  },
  {
    from: 'trial',
    to: 'modality',
    relation: 'tests',
    traversedBy: 'trials-search',
    fidelity: 'derived',
    quotableTotal: false,
    note: 'By intervention text; publish the terms with the result.',
  },
  {
    from: 'trial',
    to: 'molecular-target',
    relation: 'aims at',
    traversedBy: 'trials-search',
    fidelity: 'derived',
    quotableTotal: false,
    note: 'By target and drug names in text; that a drug acts on the target is stated elsewhere, not by the registry.',
  },
  {
    from: 'trial',
    to: 'literature',
    relation: 'is written about in',
    traversedBy: 'trials-related',
    fidelity: 'resolved',
    quotableTotal: false,
    note: 'A publication declared with kind results is strongest; a mention need not be a result, nor of this trial.',
  },
  {
    from: 'literature',
    to: 'identifier',
    relation: 'mentions',
    traversedBy: 'trials-related',
    fidelity: 'resolved',
    quotableTotal: false,
    note: 'Other identifiers in the same papers; many belong to other trials, so none of them joins anything.',
  },
  {
    from: 'trial',
    to: 'evidence-gap',
    relation: 'leaves',
    traversedBy: 'trials-landscape',
    fidelity: 'derived',
    quotableTotal: false,
    note: 'For each registry by itself: one that holds no results cannot be said to lack them.',
  },
  {
    from: 'signal',
    to: 'condition',
    relation: 'speaks of',
    traversedBy: 'mind',
    fidelity: 'derived',
    quotableTotal: false,
    note: 'By keyword. Attention is never merged with registry counts into one score.',
  },
  {
    from: 'trial',
    to: 'outcome',
    relation: 'measured',
    traversedBy: null,
    fidelity: 'absent',
    quotableTotal: false,
    note: 'Follow the source address of the record to the results that its registry posts.',
  },
  {
    from: 'molecular-target',
    to: 'codon-structure',
    relation: 'is encoded by',
    traversedBy: null,
    fidelity: 'absent',
    quotableTotal: false,
    note: 'Needs a sequence database; nothing here can support or contradict a claim about it.',
  },
  {
    from: 'molecular-target',
    to: 'metabolic-flux',
    relation: 'acts on',
    traversedBy: null,
    fidelity: 'absent',
    quotableTotal: false,
    note: 'Reaction experiments compute fluxes of a stated model; they measure none.',
  },
];

/** What is not held, so that a missing answer is not taken for a negative one. */
export interface AbsentLayer {
  readonly node: GraphNodeId;
  readonly why: string;
}

export const ABSENT_LAYERS: readonly AbsentLayer[] = [
  {
    node: 'codon-structure',
    why: 'Registries hold no sequences, and the index takes nothing but registry metadata.',
  },
  {
    node: 'metabolic-flux',
    why: 'Fluxes are measured in laboratories and models, not registered; the index takes nothing but registry metadata.',
  },
  {
    node: 'outcome',
    why: 'Measured outcomes sit in posted results and papers, down to the level of patients. The index keeps that results exist and where, not what they say.',
  },
];
