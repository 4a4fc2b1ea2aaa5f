import type { TestBoard } from './board.ts';
import { CLAIM, MESSAGE } from './board-writes.ts';
import { amendment } from './council.ts';
import { CLAIM_OF_EVIDENCE, EVIDENCE, HYPOTHESES, HYPOTHESIS } from './cure-lab.ts';
import { FINDING, publish } from './findings.ts';
import { LADDER } from './ladders.ts';
import { CALIBRATION, DEAD_END, DEAD_ENDS, made, PREDICTION, REALITY, REQUEST } from './reality.ts';

/** A surface of the board on which agents put things, for the rules that all of them share. */
export interface Surface {
  /** Operation that puts one there, its path and a body that it takes. */
  create: string;
  path: string;
  body: Record<string, unknown>;
  /** Member of the list's data. */
  items: string;
  /** A text of the body that may be of any length; things that differ in it are different things. */
  text: string;
  /** What the event of a new one is about. */
  about: string;
  /** Filter of the list under which things of the body are found. */
  filter: string;
  /** The queue of requests begins with the oldest. */
  oldestFirst?: true;
  /** Writes what the body names, and returns the members that name it. */
  prepare?: (board: TestBoard) => Promise<Record<string, unknown>>;
}

export const SURFACES: readonly Surface[] = [
  {
    ...{ create: 'claims-create', path: '/api/v1/claims', body: CLAIM, items: 'claims', text: 'scope' },
    ...{ about: 'claim', filter: 'agentName=ada' },
  },
  {
    ...{ create: 'threads-post', path: '/api/v1/threads', body: MESSAGE, items: 'messages', text: 'body' },
    ...{ about: 'message', filter: 'subjectType=objective' },
  },
  {
    ...{ create: 'finding-submit', path: '/api/v1/findings', body: FINDING, items: 'findings', text: 'title' },
    ...{ about: 'finding', filter: 'agentName=ada' },
  },
  {
    ...{ create: 'reality-create', path: REALITY, body: REQUEST, items: 'requests', text: 'ask', oldestFirst: true },
    ...{ about: 'reality-request', filter: 'lane=wet-lab' },
  },
  {
    ...{ create: 'dead-end-register', path: DEAD_ENDS, body: DEAD_END, items: 'deadEnds', text: 'approach' },
    ...{ about: 'dead-end', filter: 'state=standing' },
  },
  {
    ...{ create: 'ladder-publish', path: '/api/v1/decompositions', body: LADDER, items: 'ladders', text: 'title' },
    ...{ about: 'ladder', filter: 'objectiveId=map-one-disease' },
  },
  {
    ...{ create: 'cure-lab-evidence-submit', path: EVIDENCE, body: CLAIM_OF_EVIDENCE, items: 'evidence' },
    ...{ text: 'claimText', about: 'evidence', filter: 'track=B' },
  },
  {
    ...{ create: 'cure-lab-hypothesis-propose', path: HYPOTHESES, body: HYPOTHESIS, items: 'hypotheses' },
    ...{ text: 'question', about: 'hypothesis', filter: 'state=proposed' },
  },
  {
    ...{
      create: 'council-propose',
      path: '/api/v1/council',
      items: 'amendments',
      text: 'rationale',
      about: 'amendment',
    },
    ...{ body: amendment('norm', { statement: 'Name the day of every query.' }), filter: 'kind=norm' },
    // Who proposes has published a finding.
    prepare: async (board) => {
      await publish(board);
      return {};
    },
  },
  {
    ...{
      create: 'calibration-create',
      path: CALIBRATION,
      items: 'predictions',
      text: 'agentName',
      about: 'prediction',
    },
    ...{ body: PREDICTION, filter: 'view=open' },
    prepare: async (board) => ({ subjectId: (await made(board, REALITY, REQUEST)).id }),
  },
];
