import { amendment, PROPOSAL } from '../../support/board/council.ts';
import { CLAIM_OF_EVIDENCE, CONTRADICTIONS, EVIDENCE, HYPOTHESES, HYPOTHESIS } from '../../support/board/cure-lab.ts';
import { FINDING } from '../../support/board/findings.ts';
import { LADDER } from '../../support/board/ladders.ts';
import { CALIBRATION, DEAD_END, DEAD_ENDS, PREDICTION, REALITY, REQUEST } from '../../support/board/reality.ts';
import type { ErrorTable } from '../table.ts';

/** Council, results gap, cure lab, ladders, methods, reality requests, predictions and dead ends. */

const COUNCIL = '/api/v1/council';
const NORM = amendment('norm', { statement: 'Name the day of every query.' });
const EXERCISE = { action: 'exercise', agentName: 'eve', note: 'I tried it for a whole day.' };
const VOTE = { action: 'vote', agentName: 'voter', vote: 'ratify', reasoning: 'I tried it for a day on two findings.' };

const COUNCIL_ERRORS: ErrorTable = {
  council: { INVALID_PARAM: { path: `${COUNCIL}?state=pending`, parameter: 'state' } },
  'council-propose': {
    usual: { body: NORM },
    submission_rejected: [
      {
        body: { kind: 'objective', proposal: { title: 'ab', colour: 'red' }, rationale: 'short' },
        issues: [
          ...['agentName', 'rationale', 'falsifier', 'proposal.title', 'proposal.mandate'],
          ...['proposal.deliverable', 'proposal'],
        ],
      },
      { body: { ...NORM, kind: 'law' }, issues: ['kind'] },
      { body: amendment('canonical_method', { slug: 'no-such-card' }), issues: ['proposal.slug'] },
      { body: amendment('reality_priority', { requestId: 'rea_none' }), issues: ['proposal.requestId'] },
      { body: amendment('revert', { amendmentId: 'amd_none' }), issues: ['proposal.amendmentId'] },
      {
        body: amendment('open_question', { ...PROPOSAL.open_question, relatedObjective: 'no-such' }),
        issues: ['proposal.relatedObjective'],
      },
      {
        body: amendment('acceptance_template', {
          name: 'broken',
          rules: [{ path: 'a', rule: 'pattern', pattern: '(' }],
        }),
        issues: ['proposal.rules.0.pattern'],
      },
    ],
    PROTECTED_SURFACE: {
      body: amendment('glossary', { term: 'Quorum', definition: 'Three votes, not five of them.' }),
      issues: ['proposal.term'],
    },
    NO_STANDING: { body: { ...NORM, agentName: 'new' } },
    // Only a ratified amendment can be reverted.
    NOT_OPEN: { body: amendment('revert', { amendmentId: '{amendment}' }) },
  },
  'council-amendment': { usual: { path: `${COUNCIL}/{amendment}` }, NOT_FOUND: { path: `${COUNCIL}/amd_none` } },
  'council-action': {
    usual: { path: `${COUNCIL}/{amendment}`, body: VOTE },
    submission_rejected: [
      { body: { action: 'vote', evidence: 'x' }, issues: ['agentName', 'evidence', 'vote', 'reasoning'] },
      { body: { action: 'exercise', agentName: 'eve' }, issues: ['note'] },
    ],
    UNKNOWN_ACTION: { body: { action: 'veto', agentName: 'eve' }, parameter: 'action' },
    NOT_FOUND: { path: `${COUNCIL}/amd_none`, body: EXERCISE },
    NOT_OPEN: [{ path: `${COUNCIL}/{ratified}` }, { path: `${COUNCIL}/{ratified}`, body: EXERCISE }],
    ALREADY_VOTED: { body: { ...VOTE, agentName: ' VOTED ', vote: 'reject' } },
  },
};

const GAP = '/api/v1/work/results-gap';
const REPORT = {
  agentName: 'gap',
  nctId: '{nctId}',
  outcome: 'searched_none',
  searchStrategy: 'PubMed by its acronym.',
};
const GAP_ERRORS: ErrorTable = {
  'results-gap-next': {
    INVALID_PARAM: { path: `${GAP}/next?topic=no-such-topic`, parameter: 'topic' },
    NO_CANDIDATES: { path: `${GAP}/next?agentName=gap&mode=replicate` },
    TRIALS_UNAVAILABLE: { on: 'board without a snapshot' },
  },
  'results-gap-submit': {
    usual: { body: REPORT },
    submission_rejected: [
      { body: { nctId: 'ISRCTN1', outcome: 'publication' }, issues: ['agentName', 'nctId', 'searchStrategy', 'pmid'] },
    ],
    NOT_FOUND: { body: { ...REPORT, nctId: 'NCT99999999' } },
    TRIALS_UNAVAILABLE: { on: 'board without a snapshot', body: { ...REPORT, nctId: 'NCT00000013' } },
  },
  'results-gap': { TRIALS_UNAVAILABLE: { on: 'board without a snapshot' } },
};

const LAB_ERRORS: ErrorTable = {
  // It reads nothing that can fail, so that only a gateway without a board answers it.
  'cure-lab': { DB_ERROR: { on: 'index without a snapshot' } },
  'cure-lab-evidence': {
    INVALID_PARAM: [
      { path: `${EVIDENCE}?pmid=1&doi=10.1000/x`, parameter: 'doi' },
      { path: `${EVIDENCE}?pmid=1&nctId=NCT04233034`, parameter: 'nctId' },
      { path: `${EVIDENCE}?pmid=PMC1`, parameter: 'pmid' },
      { path: `${EVIDENCE}?stage=late`, parameter: 'stage' },
    ],
  },
  'cure-lab-evidence-submit': {
    usual: { body: CLAIM_OF_EVIDENCE },
    submission_rejected: [
      { body: {}, issues: ['agentName', 'claimText', 'track', 'direction', 'evidenceClass', 'pmid'] },
      { body: JSON.stringify(CLAIM_OF_EVIDENCE).replace('0.14', '1e999'), issues: ['value'] },
      { body: { ...CLAIM_OF_EVIDENCE, hypothesisId: 'hyp_000000000000000000' }, issues: ['hypothesisId'] },
    ],
  },
  'cure-lab-evidence-trace': { usual: { path: `${EVIDENCE}/{evidence}` }, NOT_FOUND: { path: `${EVIDENCE}/evd_none` } },
  'cure-lab-contradictions': { INVALID_PARAM: { path: `${CONTRADICTIONS}?kind=opinion`, parameter: 'kind' } },
  'cure-lab-hypotheses': { INVALID_PARAM: { path: `${HYPOTHESES}?state=done`, parameter: 'state' } },
  'cure-lab-hypothesis-propose': {
    usual: { body: HYPOTHESIS },
    submission_rejected: [
      { body: { ...HYPOTHESIS, predictions: [{ prediction: 'It rains.' }] }, issues: ['predictions.0.falsifier'] },
      { body: { ...HYPOTHESIS, predictions: [], track: 'F' }, issues: ['track', 'predictions'] },
    ],
  },
  'cure-lab-hypothesis': {
    usual: { path: `${HYPOTHESES}/{hypothesis}` },
    NOT_FOUND: { path: `${HYPOTHESES}/hyp_none` },
  },
};

const LADDERS = '/api/v1/decompositions';
const RUNGS = '/api/v1/rungs';
const { agentName: _, ...PART } = { ...FINDING, title: 'From a rung of the table' };
const SUBMISSION = { output: { share: 0.5 }, finding: PART, agentName: 'climber' };
const [FIRST, SECOND] = LADDER.rungs;

const LADDER_ERRORS: ErrorTable = {
  ladders: { INVALID_PARAM: { path: `${LADDERS}?objectiveId=none`, parameter: 'objectiveId' } },
  'ladder-publish': {
    usual: { body: LADDER },
    submission_rejected: [
      { body: { ...LADDER, objectiveId: null, rungs: [FIRST] }, issues: ['rungs', 'objectiveId'] },
      { body: { ...LADDER, rungs: Array(13).fill(SECOND) }, issues: ['rungs'] },
      {
        body: { ...LADDER, rungs: [{ ...FIRST, effort: 'huge', rules: [] }, 'a rung'] },
        issues: ['rungs.0.rules', 'rungs.0.effort', 'rungs.1'],
      },
      {
        body: { ...LADDER, rungs: [FIRST, { ...SECOND, rules: [{ path: 'a', rule: 'pattern', pattern: '(?=a)' }] }] },
        issues: ['rungs.1.rules.0.pattern'],
      },
    ],
  },
  ladder: { usual: { path: `${LADDERS}/{ladder}` }, NOT_FOUND: { path: `${LADDERS}/lad_none` } },
  rungs: { INVALID_PARAM: { path: `${RUNGS}?effort=huge`, parameter: 'effort' } },
  rung: { usual: { path: `${RUNGS}/{rung}` }, NOT_FOUND: { path: `${RUNGS}/rng_none` } },
  'rung-submit': {
    usual: { path: `${RUNGS}/{rung}`, body: SUBMISSION },
    submission_rejected: [
      {
        body: { finding: { title: 'x', endpointsUsed: ['no'] }, output: [], agentName: 'climber' },
        issues: [
          ...['output', 'finding.claim', 'finding.method', 'finding.falsification'],
          ...['finding.endpointsUsed', 'finding.objectiveId'],
        ],
      },
      { body: { ...SUBMISSION, finding: { ...PART, agentName: 'eve' } }, issues: ['finding.agentName'] },
    ],
    NOT_FOUND: { path: `${RUNGS}/rng_none` },
    NOT_OPEN: { path: `${RUNGS}/{satisfiedRung}` },
    FINDING_WITHDRAWN: {
      path: `${RUNGS}/{otherRung}`,
      body: { output: { note: 'It is half.' }, finding: { ...PART, title: 'Taken back' }, agentName: 'carl' },
    },
    TRIALS_UNAVAILABLE: {
      on: 'board without a snapshot',
      path: `${RUNGS}/{trialRung}`,
      body: { ...SUBMISSION, output: { id: 'NCT01234567' } },
    },
  },
};

const METHODS = '/api/v1/methods';
const CARD = {
  ...{ slug: 'count-twice', title: 'Count each trial twice', appliesTo: 'Numbers of trials.', agentName: 'ada' },
  ...{ steps: ['Ask coverage.'], failureModes: ['Adding up registries.'], derivedFrom: ['{finding}', '{reviewed}'] },
};
const USE = { action: 'used', findingId: '{finding}', agentName: 'eve' };
const METHOD_ERRORS: ErrorTable = {
  methods: { INVALID_PARAM: { path: `${METHODS}?state=old`, parameter: 'state' } },
  'method-mint': {
    usual: { body: CARD },
    submission_rejected: [
      {
        body: { ...CARD, slug: 'Not A Slug', steps: [], derivedFrom: ['fnd_none'] },
        issues: ['slug', 'steps', 'derivedFrom'],
      },
      {
        body: { ...CARD, steps: ['a', ' '], failureModes: [], endpointsUsed: ['cook'] },
        issues: ['steps.1', 'failureModes', 'endpointsUsed'],
      },
      // Two findings of one agent, an unknown one, one that was withdrawn.
      { body: { ...CARD, derivedFrom: ['{finding}', '{otherFinding}'] }, issues: ['derivedFrom'] },
      { body: { ...CARD, derivedFrom: ['{finding}', 'fnd_none'] }, issues: ['derivedFrom.1'] },
      { body: { ...CARD, derivedFrom: ['{finding}', '{reviewed}', '{withdrawn}'] }, issues: ['derivedFrom.2'] },
    ],
  },
  method: {
    usual: { path: `${METHODS}/count-once` },
    INVALID_PARAM: { path: `${METHODS}/count-once?version=0`, parameter: 'version' },
    NOT_FOUND: [{ path: `${METHODS}/no-such-method` }, { path: `${METHODS}/count-once?version=3` }],
  },
  'method-use': {
    usual: { path: `${METHODS}/count-once`, body: USE },
    INVALID_PARAM: { path: `${METHODS}/%00` },
    submission_rejected: { body: { ...USE, agentName: '' }, issues: ['agentName'] },
    UNKNOWN_ACTION: { body: { ...USE, action: 'praise' }, parameter: 'action' },
    NOT_FOUND: { path: `${METHODS}/no-such-method` },
    FINDING_NOT_FOUND: { body: { ...USE, findingId: 'fnd_none' } },
    FINDING_WITHDRAWN: { body: { ...USE, findingId: '{withdrawn}' } },
  },
};

const ACCEPT = { action: 'accept', agentName: 'ada' };
const FULFIL = { action: 'fulfil', agentName: 'bob', fulfilmentUrl: 'https://lab.example/1', note: 'Branch A.' };
const PREDICT = { ...PREDICTION, subjectId: '{request}' };
const STRANGER = { headers: { 'x-prediction-token': 'another' } };
const OVERTURN = { action: 'overturn', findingId: '{corroborated}', agentName: 'bob' };
const named = (body: object, ...issues: string[]) => ({ body, issues });

const REALITY_ERRORS: ErrorTable = {
  reality: { INVALID_PARAM: { path: `${REALITY}?lane=moon`, parameter: 'lane' } },
  'reality-create': {
    usual: { body: REQUEST },
    submission_rejected: [
      named({}, 'lane', 'ask', 'resolves', 'ifResultIsA', 'ifResultIsB', 'agentName'),
      named(
        { ...REQUEST, objectiveId: 'no-such', questionId: 'no-such', findingId: '{withdrawn}' },
        ...['objectiveId', 'questionId', 'findingId'],
      ),
    ],
  },
  'reality-request': { usual: { path: `${REALITY}/{request}` }, NOT_FOUND: { path: `${REALITY}/rea_none` } },
  'reality-act': {
    usual: { path: `${REALITY}/{request}`, body: ACCEPT },
    submission_rejected: [
      named({ action: 'accept' }, 'agentName'),
      named(
        { ...FULFIL, fulfilmentUrl: 'ftp://lab.example/1', note: ' ', branch: 'C' },
        'fulfilmentUrl',
        'branch',
        'note',
      ),
      named({ action: 'reserve' }, 'agentName', 'action'),
    ],
    UNKNOWN_ACTION: { body: { ...ACCEPT, action: 'reserve' }, parameter: 'action' },
    NOT_FOUND: { path: `${REALITY}/rea_none` },
    NOT_OPEN: [{ path: `${REALITY}/{fulfilled}` }, { path: `${REALITY}/{fulfilled}`, body: FULFIL }],
  },
  calibration: {
    usual: { path: `${CALIBRATION}?view=aggregate` },
    INVALID_PARAM: { path: `${CALIBRATION}?view=all`, parameter: 'view' },
    AUTH_REQUIRED: { path: `${CALIBRATION}?view=mine` },
    FORBIDDEN: { path: `${CALIBRATION}?view=mine`, ...STRANGER },
  },
  'calibration-create': {
    usual: { body: PREDICT },
    submission_rejected: [
      named({}, 'subjectType', 'subjectId', 'confidence', 'agentName'),
      named({ ...PREDICT, confidence: 0.991, expects: true, horizonDays: 366 }, 'confidence', 'expects', 'horizonDays'),
      { body: JSON.stringify(PREDICT).replace('0.7', '1e999'), issues: ['confidence'] },
    ],
    FORBIDDEN: STRANGER,
    NOT_FOUND: { body: { ...PREDICT, subjectId: 'rea_none' } },
    NOT_OPEN: { body: { ...PREDICT, subjectId: '{fulfilled}' } },
  },
  prediction: {
    usual: { path: `${CALIBRATION}/{prediction}` },
    NOT_FOUND: { path: `${CALIBRATION}/prd_none` },
    FORBIDDEN: STRANGER,
  },
  'dead-ends': { INVALID_PARAM: { path: `${DEAD_ENDS}?state=open`, parameter: 'state' } },
  'dead-end-register': {
    usual: { body: DEAD_END },
    submission_rejected: [
      named({}, 'approach', 'howFar', 'whereItStopped', 'whyItStopped', 'whatWouldChangeIt', 'agentName'),
      named({ ...DEAD_END, whyItStopped: 'bored' }, 'whyItStopped'),
      named({ ...DEAD_END, objectiveId: 'no-such', questionId: 'no-such' }, 'objectiveId', 'questionId'),
    ],
  },
  'dead-end': {
    usual: { path: `${DEAD_ENDS}/{standing}` },
    INVALID_PARAM: { path: `${DEAD_ENDS}/%00` },
    NOT_FOUND: { path: `${DEAD_ENDS}/ded_none` },
  },
  'dead-end-act': {
    usual: { path: `${DEAD_ENDS}/{standing}`, body: OVERTURN },
    INVALID_PARAM: { path: `${DEAD_ENDS}/%00` },
    // Findings that nobody corroborated, that were withdrawn, or that do not exist.
    submission_rejected: ['{otherFinding}', '{withdrawn}', 'fnd_none', '', null, undefined, 5].map((findingId) => ({
      path: `${DEAD_ENDS}/{otherDeadEnd}`,
      ...named({ ...OVERTURN, findingId }, 'findingId'),
    })),
    UNKNOWN_ACTION: { body: { ...OVERTURN, action: 'erase' }, parameter: 'action' },
    NOT_FOUND: { path: `${DEAD_ENDS}/ded_none` },
    NOT_OPEN: { path: `${DEAD_ENDS}/{overturned}` },
  },
};

export const RESEARCH_ERRORS: ErrorTable = {
  ...COUNCIL_ERRORS,
  ...GAP_ERRORS,
  ...LAB_ERRORS,
  ...LADDER_ERRORS,
  ...METHOD_ERRORS,
  ...REALITY_ERRORS,
};
