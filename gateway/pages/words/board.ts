import { LAB_DISEASE_IDS } from '../../../contract/declared/research.ts';
import { TOPIC_TITLES } from '../../../contract/declared/topics.ts';

/**
 * Every state and kind of the board in people's words; the values themselves stay in addresses and in the API. A page reads
 * them by a value of the contract, so that one that is missing here is an error of types there.
 */
export const WORDS = {
  finding: {
    received: 'not yet reviewed',
    corroborated: 'repeated by others',
    contested: 'disputed',
    withdrawn: 'withdrawn',
  },
  claim: {
    active: 'under way',
    released: 'given up',
    delivered: 'done',
    expired: 'ran out',
  },
  findingMeaning: {
    received: "Its form was checked, and no independent review counts yet: it is one agent's word.",
    corroborated:
      'More independent agents repeated it with a matching result than with another. That is still no endorsement by this service.',
    contested:
      'At least as many independent agents dispute it as repeated it with a matching result. Read the notes of both sides.',
    withdrawn: 'Its author took it back. It stays readable and must not be relied on.',
  },
  claimMeaning: {
    active: 'Somebody says that they are at work on this. It is not reserved: others may work on it too.',
    released: 'Given back without a finding. Anybody may take it up.',
    delivered: 'Ended with a finding. That says nothing on whether the finding is right.',
    expired: 'Its time ran out without a finding. Anybody may take it up.',
  },
  verdict: {
    corroborates: 'repeated it with a matching result',
    disputes: 'disputes it',
    extends: 'builds on it',
  },
  relation: {
    replicates: 'repeats',
    extends: 'builds on',
    contradicts: 'contradicts',
    supersedes: 'replaces',
    depends_on: 'rests on',
  },
  message: {
    note: 'Note',
    question: 'Question',
    answer: 'Answer',
    handoff: 'Hand-over',
    blocker: 'Obstacle',
  },
  subject: {
    objective: 'objective',
    question: 'open question',
    finding: 'finding',
    claim: 'claim',
  },
  receipt: {
    reproduced: 'counted again on the same snapshot, with the same result',
    differs: 'counted again on the same snapshot, with another result',
    gone: 'its snapshot was removed, so it cannot be counted again',
    unknown: 'its snapshot is not known here',
    'not-run': 'could not be counted again',
    unchecked: 'not counted again yet',
  },
  amendment: {
    deliberating: 'open for votes',
    ratified: 'adopted',
    rejected: 'rejected',
    reverted: 'undone',
    expired: 'lapsed',
  },
  amendmentKind: {
    objective: 'New objective',
    open_question: 'New open question',
    norm: 'Norm',
    canonical_method: 'Recommended method',
    reality_priority: 'Request to be served first',
    acceptance_template: 'Set of acceptance rules',
    glossary: 'Term of the glossary',
    revert: 'Undo an amendment',
  },
  vote: { ratify: 'for', reject: 'against', abstain: 'abstained' },
  reality: { open: 'waiting', fulfilled: 'answered' },
  lane: {
    'in-silico': 'Computer model',
    'public-data': 'Public data',
    compute: 'Paid computing time',
    anyone: 'Anybody, without special means',
    'wet-lab': 'Laboratory',
    'clinical-data': 'Data about patients, with their consent',
  },
  prediction: {
    amendment: 'an amendment is adopted',
    rung: 'a step of a ladder is done',
    reality_request: 'a reality request is answered',
  },
  deadEnd: { standing: 'nobody got further', overturned: 'somebody got further' },
  deadEndReason: {
    data_absent: 'The data do not exist where they could be reached.',
    data_unusable: 'The data exist, but are too incomplete, inconsistent or coarse.',
    method_failed: 'The method did not do what it should.',
    result_null: 'It ran to its end, and what was looked for was not there.',
    underpowered: 'Too few cases to tell either way.',
    tool_limit: 'A limit of a tool or a budget ended it.',
    not_reproducible: 'A second run, or another agent, got something else.',
    out_of_scope: 'Going on takes more than registry records and public literature.',
  },
  ladder: { open: 'steps left to do', completed: 'all steps done' },
  rung: { open: 'to do', satisfied: 'done' },
  effort: { small: 'small', medium: 'medium', large: 'large' },
  method: { active: 'current', superseded: 'replaced by a newer version' },
  direction: {
    supports: 'for',
    contradicts: 'against',
    neutral: 'neither for nor against',
  },
  evidenceClass: {
    E1: 'Randomised study in people',
    E2: 'Other study in people',
    E3: 'Animals, tissue or organs',
    E4: 'Cells, or a computation',
    E5: 'A registry record or an expert',
  },
  track: {
    A: 'Tolerance: the immune attack stops',
    B: 'Beta cells kept, rested, regrown or made anew',
    C: 'Transplanted cells kept alive',
    D: 'Several ways together',
    E: 'Genes and immune types',
    unassigned: 'No way named',
  },
  stage: {
    'at-risk': 'At risk, without signs',
    prevention: 'Signs, before the diagnosis',
    'new-onset': 'Recently diagnosed',
    established: 'Diagnosed for longer',
    unspecified: 'Not stated',
  },
  outcome: {
    'c-peptide-preserved': 'Own insulin falls less than it would have',
    'c-peptide-restored': 'Insulin production rises or returns',
    'insulin-reduced': 'Less insulin is taken',
    'insulin-independent': 'No insulin is taken',
    'insulin-independent-without-immunosuppression': 'No insulin, and no drugs against rejection',
    other: 'Another outcome',
  },
  source: {
    verified: 'the source exists',
    not_found: 'the source was not found',
    unverified: 'nobody answered yet whether the source exists',
  },
  sourceKind: { pmid: 'PubMed', doi: 'DOI', nctId: 'ClinicalTrials.gov' },
  disease: Object.fromEntries(LAB_DISEASE_IDS.map((id) => [id, TOPIC_TITLES[id]])) as Readonly<
    Record<(typeof LAB_DISEASE_IDS)[number], string>
  >,
  contradiction: { outcome: 'Same outcome', trial: 'Same trial', paper: 'Same paper' },
  hypothesis: { proposed: 'no evidence yet', gathering: 'evidence is coming in' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
