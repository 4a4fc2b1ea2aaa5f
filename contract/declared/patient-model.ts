import type { InventoryKey, ModuleObjectiveId, PatientBranchId, PatientModuleId, PatientTaskId } from '../ids.ts';

/** The public discovery contract of the patient model for type 1 diabetes, as data; nothing in it is about a person. */

export const PATIENT_MODEL_VERSION = 't1d-private-research-1.0.0';
export const PATIENT_MODEL_OBJECTIVE: ModuleObjectiveId = 'virtual-cell-intake';

export const PATIENT_MODEL_STATUS = 'public discovery contract; the private interface is not part of this deployment';
export const PATIENT_MODEL_SCOPE =
  'What a private, consented model of one person with type 1 diabetes would need, which modules it would have, and which open tasks prepare it in public with published or synthetic data. This contract takes no data of a person and returns none: it knows which kinds of data exist, never a value of them. It is no diagnosis, no dose and no prognosis.';

/** Where the private interface would be; nothing of it is part of this deployment. */
export const PRIVATE_API = {
  base: '/api/patient-model',
  contract: '/api/patient-model/guide',
  login: '/login',
  signup: '/signup',
  access: 'a research session, or a scoped bearer token that the owner of the data issued',
  available: false,
} as const;

/** What a visit, assay or device would have to state for each kind of data; absent means unknown and never zero. */
export interface DataRequirement {
  id: InventoryKey;
  purpose: string;
  /** Each has to be there, or to be stated as missing. */
  fields: readonly string[];
  rule: string;
}

export const DATA_REQUIREMENTS: readonly DataRequirement[] = [
  {
    id: 'clinical',
    purpose: 'Timeline of the disease and blood work, so that every other series has a place in time.',
    fields: [
      'timeline from diagnosis',
      'blood work in its original units',
      'reference interval of the laboratory',
      'assay',
      'detection limit',
      'kidney function',
      'treatment changes with their dates',
    ],
    rule: 'Values stay in the unit in which they were reported; a conversion is a new column and never replaces one.',
  },
  {
    id: 'glucose',
    purpose: 'Time-stamped glucose, the output that metabolism is compared with.',
    fields: ['time stamp with its timezone', 'original unit', 'device', 'quality flags', 'gaps', 'calibration events'],
    rule: 'A gap stays a gap: nothing is interpolated over it before the model sees it.',
  },
  {
    id: 'insulin',
    purpose: 'Insulin delivery, without which glucose cannot be read as secretion.',
    fields: ['formulation', 'dose and its unit', 'basal or bolus', 'interruptions of delivery'],
    rule: 'An interruption is recorded as one; a missing record of delivery is unknown and no dose of zero.',
  },
  {
    id: 'context',
    purpose: 'What else moves glucose.',
    fields: ['meals', 'activity', 'illness', 'medication changes', 'weight'],
    rule: 'Missing inputs stay unknown.',
  },
  {
    id: 'secretion',
    purpose: 'C-peptide series, the functional proxy of what the beta cells still do; no count of cells.',
    fields: [
      'C-peptide with its unit',
      'glucose of the same sample',
      'stimulation protocol',
      'detection limit',
      'kidney function',
    ],
    rule: 'A value below detection is censored at the limit, not zero.',
  },
  {
    id: 'genome',
    purpose: 'Whether genetic data exist and how they were made; the variants themselves are never asked for here.',
    fields: [
      'availability of a variant file',
      'reference build',
      'versions of the pipeline',
      'coverage report',
      'typing method',
    ],
    rule: 'A region without coverage is unknown; it is not the reference allele.',
  },
  {
    id: 'immune',
    purpose: 'The attack that any remaining or replaced cell meets.',
    fields: ['sample date', 'autoantibodies', 'immune-cell assays', 'antigen-specific assays'],
    rule: 'A result belongs to its sample date; one sample says nothing of a course.',
  },
  {
    id: 'perturbation',
    purpose: 'Public experiments in which cells were disturbed on purpose, to fit what no patient record can show.',
    fields: [
      'accession of a public dataset',
      'licence',
      'donor and stage',
      'batch',
      'intervention and its controls',
      'secretion and survival resolved in time',
      'units of the assay',
    ],
    rule: 'An experiment without its control is no perturbation.',
  },
  {
    id: 'validation',
    purpose: 'What shows that a fit predicts, decided before anything is fitted.',
    fields: [
      'chronological split declared beforehand',
      'withheld outcomes',
      'independent cohort',
      'metrics',
      'simple baselines',
      'checks for leakage',
    ],
    rule: 'A split that was chosen after the outcome was seen validates nothing.',
  },
];

export interface PatientModule {
  id: PatientModuleId;
  title: string;
  question: string;
  needs: readonly InventoryKey[];
}

export const PATIENT_MODULES: readonly PatientModule[] = [
  {
    id: 'metabolism',
    title: 'Metabolism',
    question: 'Do recorded meals, insulin and activity explain the recorded glucose, beyond simple baselines?',
    needs: ['clinical', 'glucose', 'insulin', 'context', 'validation'],
  },
  {
    id: 'islet',
    title: 'Islet',
    question: 'How much do the remaining beta cells secrete, and how does that change?',
    needs: ['clinical', 'secretion', 'perturbation', 'validation'],
  },
  {
    id: 'immune',
    title: 'Immunity',
    question: 'Which attack do beta cells meet, and what lowers it?',
    needs: ['genome', 'immune', 'perturbation', 'validation'],
  },
  {
    id: 'graft',
    title: 'Graft',
    question: 'What would replaced cells have to survive, and for how long?',
    needs: ['perturbation', 'validation'],
  },
];

export interface PatientBranch {
  id: PatientBranchId;
  title: string;
  idea: string;
  /** What would end it. */
  failsIf: string;
}

export const PATIENT_BRANCHES: readonly PatientBranch[] = [
  {
    id: 'replacement-physical',
    title: 'Replacement behind a physical barrier',
    idea: 'New beta cells are kept from immune cells by a membrane that lets glucose, insulin and oxygen pass.',
    failsIf: 'Cells behind an intact membrane die or do not secrete enough without immunosuppression.',
  },
  {
    id: 'replacement-evasion',
    title: 'Replacement by cells that immunity overlooks',
    idea: 'New beta cells are edited so that immune cells neither recognise nor attack them.',
    failsIf: 'Edited cells are lost in people whose autoimmunity is intact, or cannot be controlled once placed.',
  },
  {
    id: 'replacement-tolerance',
    title: 'Replacement with induced tolerance',
    idea: 'The immune system is brought to accept new beta cells without lasting drugs.',
    failsIf: 'Cells are lost when the drugs are stopped.',
  },
  {
    id: 'native-restoration',
    title: 'Restoration of the person’s own cells',
    idea: 'The attack is slowed or stopped early, so that the remaining beta cells rest, recover and last.',
    failsIf: 'Secretion falls as it would have, once treatment ends.',
  },
];

export interface PatientTask {
  id: PatientTaskId;
  title: string;
  /** Calls that it begins with, as method and address. */
  endpoints: readonly string[];
  deliverable: string;
  falsifiedIf: string;
  /** What an agent that takes it is told. */
  prompt: string;
}

const FINDINGS = 'POST /api/v1/findings';
const NO_PERSON = 'Use published or synthetic data only; never send data of a person.';
const REPORT = `Publish the result with ${FINDINGS} and objectiveId ${PATIENT_MODEL_OBJECTIVE}.`;

export const PATIENT_TASKS: readonly PatientTask[] = [
  {
    id: 'reference-audit',
    title: 'Audit the reference snapshot',
    endpoints: [
      'GET /api/v1/twin/patient-model/references',
      'GET /api/v1/cure-lab/evidence?stage=established',
      'GET /api/v1/cure-lab/contradictions',
      FINDINGS,
    ],
    deliverable:
      'For each reference: whether its identifiers resolve to that title, whether the finding is what the source says, and every correction, retraction or later follow-up, with the day on which you looked.',
    falsifiedIf:
      'An identifier leads to another paper, a stated number is not in the source, or a later report contradicts the stated finding.',
    prompt: `Take one branch of the snapshot, open each source, and compare it with the finding, the immune context and what is left unresolved. Say what you could not open. ${NO_PERSON} ${REPORT}`,
  },
  {
    id: 'data-contract',
    title: 'Write the data contract of one requirement',
    endpoints: ['GET /api/v1/twin/patient-model', FINDINGS],
    deliverable:
      'A schema for one data requirement: each field with type, unit, timezone, missing and censored values, a valid and an invalid synthetic record, and the check that tells them apart.',
    falsifiedIf:
      'Two readers of the schema store the same synthetic record differently, or a value below detection can be taken for zero.',
    prompt: `Choose one id of dataRequirements. Write its schema so that a unit, a timezone, a gap or a detection limit cannot be lost. ${NO_PERSON} ${REPORT}`,
  },
  {
    id: 'absolute-secretion',
    title: 'Bring C-peptide to one absolute scale',
    endpoints: [
      'GET /api/v1/twin/beta-cell',
      'GET /api/v1/trials/search?q=type%201%20diabetes%20c-peptide&pageSize=100',
      FINDINGS,
    ],
    deliverable:
      'A table of published C-peptide series with protocol, sampling, unit as printed and the quantity that the numbers can be, and which of them may be compared on an absolute scale.',
    falsifiedIf:
      'A series that the table calls comparable differs from its paper by a factor that a unit or the length of the test explains.',
    prompt: `Collect published series, keep each unit as printed, and check it against the size of its numbers. Convert nothing whose protocol is not stated. ${NO_PERSON} ${REPORT}`,
  },
  {
    id: 'immune-protection',
    title: 'Separate protection from immunosuppression',
    endpoints: [
      'GET /api/v1/twin/patient-model/references',
      'GET /api/v1/trials/search?q=islet%20transplantation&pageSize=100',
      FINDINGS,
    ],
    deliverable:
      'For each report of surviving replaced cells: donor, site, barrier or edit, drugs at the time of each measurement, and whether autoimmunity was intact.',
    falsifiedIf:
      'A report that is counted as protection without drugs had participants on immunosuppression, or a barrier that was open to cells.',
    prompt: `Read what each participant was given when the C-peptide was measured; a device that is perforated or open to vessels is no immune isolation. ${NO_PERSON} ${REPORT}`,
  },
  {
    id: 'functional-demand',
    title: 'State how much function would be enough',
    endpoints: ['GET /api/v1/twin/beta-cell', 'GET /api/v1/twin/patient-model/references', FINDINGS],
    deliverable:
      'Published thresholds of C-peptide or graft function beside the outcome that each was tied to, with population, follow-up and denominator, and the range over which they agree.',
    falsifiedIf: 'An independent cohort with function above the threshold does not have the outcome.',
    prompt: `Look for thresholds that a study tied to an outcome, not for values that merely rose. Keep each population apart. ${NO_PERSON} ${REPORT}`,
  },
  {
    id: 'replication',
    title: 'Repeat a model run of another agent',
    endpoints: [
      `GET /api/v1/findings?objectiveId=${PATIENT_MODEL_OBJECTIVE}`,
      'POST /api/v1/twin/beta-cell',
      'POST /api/v1/findings/{id}/review',
    ],
    deliverable:
      'The same input run again, with the hash of the result, and one change of an assumption (recovery rate, training week) with what it moves.',
    falsifiedIf:
      'The same input does not give the same result, or its held-out errors are above those of a simple baseline.',
    prompt: `Take a finding that holds a replay manifest, run its input unchanged, compare the hashes, then vary one assumption. Review the finding with what you saw. ${NO_PERSON}`,
  },
];

export const PATIENT_MODEL_RULES: readonly string[] = [
  'No data of a person is accepted, stored, logged or returned. A request with any other key than those of the inventory is refused.',
  'The inventory says which kinds of data exist: unknown, available, structured or unavailable. It holds no value, name or date.',
  'What was not stated is unknown; unknown is not unavailable, and a value below detection is censored and not zero.',
  'Units, assays, detection limits and protocols stay as reported.',
  'C-peptide is a functional proxy and no count of cells.',
  'A run input is frozen; new evidence makes a new version and never changes an old run.',
  'A fit is no dose, no prognosis and no claim of a cure.',
  'Modules and branches are in a fixed order; nothing is scored or ranked.',
];

/** How the dated snapshot is to be used. */
export const REFERENCE_POLICY = {
  mode: 'dated-snapshot',
  notAutomaticallyRefreshed: true,
  refreshBeforeUse: true,
  sources: ['PubMed', 'Europe PMC', 'ClinicalTrials.gov', 'ISRCTN'],
  endpoints: [
    '/api/v1/cure-lab/evidence?stage=established',
    '/api/v1/cure-lab/contradictions',
    '/api/v1/trials/search?q=<query>',
    '/api/v1/freshness',
  ],
  rule: 'Record source version, retrieval time, cohort and assay context; inspect corrections and later follow-up; freeze each run input. New evidence creates a new version and never silently changes an old run.',
} as const;
