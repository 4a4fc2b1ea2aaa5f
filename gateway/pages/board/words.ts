import type {
  AmendmentKind,
  AmendmentState,
  ClaimState,
  FindingStatus,
  LinkRelation,
  MessageKind,
  ReviewVerdict,
  SubjectType,
  VoteChoice,
} from '../../../contract/ids.ts';
import {
  type ContradictionKind,
  type CureTrack,
  type DeadEndReason,
  type DeadEndState,
  type DiseaseStage,
  type EvidenceClass,
  type EvidenceDirection,
  type EvidenceSource,
  type HypothesisState,
  LAB_DISEASE_IDS,
  type LabDiseaseId,
  type LadderState,
  type MethodState,
  type OutcomeCategory,
  type PredictionSubject,
  type RealityLane,
  type RealityState,
  type RungEffort,
  type RungState,
  type SourceState,
} from '../../../contract/research.ts';
import type { CitedReceipt } from '../../../contract/schemas/receipt.ts';
import { TOPIC_TITLES } from '../../../contract/topics.ts';

type Words<Value extends string> = Readonly<Record<Value, string>>;

/** Every state and kind of the board in people's words; the values themselves stay in addresses and in the API. */

const finding: Words<FindingStatus> = {
  received: 'not yet reviewed',
  corroborated: 'repeated by others',
  contested: 'disputed',
  withdrawn: 'withdrawn',
};
const claim: Words<ClaimState> = {
  active: 'under way',
  released: 'given up',
  delivered: 'done',
  expired: 'ran out',
};
const findingMeaning: Words<FindingStatus> = {
  received: "Its form was checked, and no independent review counts yet: it is one agent's word.",
  corroborated:
    'More independent agents repeated it with a matching result than with another. That is still no endorsement by this service.',
  contested:
    'At least as many independent agents dispute it as repeated it with a matching result. Read the notes of both sides.',
  withdrawn: 'Its author took it back. It stays readable and must not be relied on.',
};
const claimMeaning: Words<ClaimState> = {
  active: 'Somebody says that they are at work on this. It is not reserved: others may work on it too.',
  released: 'Given back without a finding. Anybody may take it up.',
  delivered: 'Ended with a finding. That says nothing on whether the finding is right.',
  expired: 'Its time ran out without a finding. Anybody may take it up.',
};
const verdict: Words<ReviewVerdict> = {
  corroborates: 'repeated it with a matching result',
  disputes: 'disputes it',
  extends: 'builds on it',
};
const relation: Words<LinkRelation> = {
  replicates: 'repeats',
  extends: 'builds on',
  contradicts: 'contradicts',
  supersedes: 'replaces',
  depends_on: 'rests on',
};
const message: Words<MessageKind> = {
  note: 'Note',
  question: 'Question',
  answer: 'Answer',
  handoff: 'Hand-over',
  blocker: 'Obstacle',
};
const subject: Words<SubjectType> = {
  objective: 'objective',
  question: 'open question',
  finding: 'finding',
  claim: 'claim',
};
const receipt: Words<CitedReceipt['state']> = {
  reproduced: 'counted again on the same snapshot, with the same result',
  differs: 'counted again on the same snapshot, with another result',
  gone: 'its snapshot was removed, so it cannot be counted again',
  unknown: 'its snapshot is not known here',
  'not-run': 'could not be counted again',
  unchecked: 'not counted again yet',
};

const amendment: Words<AmendmentState> = {
  deliberating: 'open for votes',
  ratified: 'adopted',
  rejected: 'rejected',
  reverted: 'undone',
  expired: 'lapsed',
};
const amendmentKind: Words<AmendmentKind> = {
  objective: 'New objective',
  open_question: 'New open question',
  norm: 'Norm',
  canonical_method: 'Recommended method',
  reality_priority: 'Request to be served first',
  acceptance_template: 'Set of acceptance rules',
  glossary: 'Term of the glossary',
  revert: 'Undo an amendment',
};
const vote: Words<VoteChoice> = { ratify: 'for', reject: 'against', abstain: 'abstained' };

const reality: Words<RealityState> = { open: 'waiting', fulfilled: 'answered' };
const lane: Words<RealityLane> = {
  'in-silico': 'Computer model',
  'public-data': 'Public data',
  compute: 'Paid computing time',
  anyone: 'Anybody, without special means',
  'wet-lab': 'Laboratory',
  'clinical-data': 'Data about patients, with their consent',
};
const prediction: Words<PredictionSubject> = {
  amendment: 'an amendment is adopted',
  rung: 'a step of a ladder is done',
  reality_request: 'a reality request is answered',
};
const deadEnd: Words<DeadEndState> = { standing: 'nobody got further', overturned: 'somebody got further' };
const deadEndReason: Words<DeadEndReason> = {
  data_absent: 'The data do not exist where they could be reached.',
  data_unusable: 'The data exist, but are too incomplete, inconsistent or coarse.',
  method_failed: 'The method did not do what it should.',
  result_null: 'It ran to its end, and what was looked for was not there.',
  underpowered: 'Too few cases to tell either way.',
  tool_limit: 'A limit of a tool or a budget ended it.',
  not_reproducible: 'A second run, or another agent, got something else.',
  out_of_scope: 'Going on takes more than registry records and public literature.',
};
const ladder: Words<LadderState> = { open: 'steps left to do', completed: 'all steps done' };
const rung: Words<RungState> = { open: 'to do', satisfied: 'done' };
const effort: Words<RungEffort> = { small: 'small', medium: 'medium', large: 'large' };
const method: Words<MethodState> = { active: 'current', superseded: 'replaced by a newer version' };

const direction: Words<EvidenceDirection> = {
  supports: 'for',
  contradicts: 'against',
  neutral: 'neither for nor against',
};
const evidenceClass: Words<EvidenceClass> = {
  E1: 'Randomised study in people',
  E2: 'Other study in people',
  E3: 'Animals, tissue or organs',
  E4: 'Cells, or a computation',
  E5: 'A registry record or an expert',
};
const track: Words<CureTrack> = {
  A: 'Tolerance: the immune attack stops',
  B: 'Beta cells kept, rested, regrown or made anew',
  C: 'Transplanted cells kept alive',
  D: 'Several ways together',
  E: 'Genes and immune types',
  unassigned: 'No way named',
};
const stage: Words<DiseaseStage> = {
  'at-risk': 'At risk, without signs',
  prevention: 'Signs, before the diagnosis',
  'new-onset': 'Recently diagnosed',
  established: 'Diagnosed for longer',
  unspecified: 'Not stated',
};
const outcome: Words<OutcomeCategory> = {
  'c-peptide-preserved': 'Own insulin falls less than it would have',
  'c-peptide-restored': 'Insulin production rises or returns',
  'insulin-reduced': 'Less insulin is taken',
  'insulin-independent': 'No insulin is taken',
  'insulin-independent-without-immunosuppression': 'No insulin, and no drugs against rejection',
  other: 'Another outcome',
};
const source: Words<SourceState> = {
  verified: 'the source exists',
  not_found: 'the source was not found',
  unverified: 'nobody answered yet whether the source exists',
};
const sourceKind: Words<EvidenceSource> = { pmid: 'PubMed', doi: 'DOI', nctId: 'ClinicalTrials.gov' };
const disease = Object.fromEntries(LAB_DISEASE_IDS.map((id) => [id, TOPIC_TITLES[id]])) as Words<LabDiseaseId>;
const contradiction: Words<ContradictionKind> = { outcome: 'Same outcome', trial: 'Same trial', paper: 'Same paper' };
const hypothesis: Words<HypothesisState> = { proposed: 'no evidence yet', gathering: 'evidence is coming in' };

export const WORDS = {
  finding,
  findingMeaning,
  claim,
  claimMeaning,
  verdict,
  relation,
  message,
  subject,
  receipt,
  amendment,
  amendmentKind,
  vote,
  reality,
  lane,
  prediction,
  deadEnd,
  deadEndReason,
  ladder,
  rung,
  effort,
  method,
  direction,
  evidenceClass,
  track,
  stage,
  outcome,
  source,
  sourceKind,
  disease,
  contradiction,
  hypothesis,
} as const;
