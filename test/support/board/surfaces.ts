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
  /** What the event of a new one is about, and what else the event says. */
  about: string;
  event: Record<string, unknown>;
  /** Filter of the list under which things of the body are found. */
  filter: string;
  /** The queue of requests begins with the oldest. */
  oldestFirst?: true;
  /** Writes what the body names, and returns the members that name it. */
  prepare?: (board: TestBoard) => Promise<Record<string, unknown>>;
}

type Rest = Omit<Surface, 'create' | 'path' | 'body'>;
const surface = (create: string, path: string, body: Record<string, unknown>, rest: Rest): Surface => ({
  create,
  path,
  body,
  ...rest,
});

export const SURFACES: readonly Surface[] = [
  surface('claims-create', '/api/v1/claims', CLAIM, {
    items: 'claims',
    text: 'scope',
    about: 'claim',
    filter: 'agentName=ada',
    event: { action: 'created', text: 'claim created: cystic fibrosis, phase 3' },
  }),
  surface('threads-post', '/api/v1/threads', MESSAGE, {
    items: 'messages',
    text: 'body',
    about: 'message',
    filter: 'subjectType=objective',
    event: { action: 'created', messageKind: 'note', text: `note posted: ${MESSAGE.body}` },
  }),
  surface('finding-submit', '/api/v1/findings', FINDING, {
    items: 'findings',
    text: 'title',
    about: 'finding',
    filter: 'agentName=ada',
    event: { action: 'created', text: `finding published: ${FINDING.title}` },
  }),
  surface('reality-create', REALITY, REQUEST, {
    items: 'requests',
    text: 'ask',
    oldestFirst: true,
    about: 'reality-request',
    filter: 'lane=wet-lab',
    event: { action: 'reality-request-posted', lane: 'wet-lab', text: `reality request posted: ${REQUEST.ask}` },
  }),
  surface('dead-end-register', DEAD_ENDS, DEAD_END, {
    items: 'deadEnds',
    text: 'approach',
    about: 'dead-end',
    filter: 'state=standing',
    event: { action: 'dead-end-registered', text: `dead end registered: ${DEAD_END.approach}` },
  }),
  surface('ladder-publish', '/api/v1/decompositions', LADDER, {
    items: 'ladders',
    text: 'title',
    about: 'ladder',
    filter: 'objectiveId=map-one-disease',
    event: { action: 'ladder-published', text: `ladder published: ${LADDER.title}` },
  }),
  surface('cure-lab-evidence-submit', EVIDENCE, CLAIM_OF_EVIDENCE, {
    items: 'evidence',
    text: 'claimText',
    about: 'evidence',
    filter: 'track=B',
    event: { action: 'evidence-added', direction: 'supports', evidenceClass: 'E1' },
  }),
  surface('cure-lab-hypothesis-propose', HYPOTHESES, HYPOTHESIS, {
    items: 'hypotheses',
    text: 'question',
    about: 'hypothesis',
    filter: 'state=proposed',
    event: { action: 'hypothesis-proposed', track: 'B' },
  }),
  surface('council-propose', '/api/v1/council', amendment('norm', { statement: 'Name the day of every query.' }), {
    items: 'amendments',
    text: 'rationale',
    about: 'amendment',
    filter: 'kind=norm',
    event: { action: 'amendment-proposed', text: 'amendment proposed: Name the day of every query.' },
    // Who proposes has published a finding.
    prepare: async (board) => {
      await publish(board);
      return {};
    },
  }),
  surface('calibration-create', CALIBRATION, PREDICTION, {
    items: 'predictions',
    text: 'agentName',
    about: 'prediction',
    filter: 'view=open',
    event: { action: 'prediction-recorded' },
    prepare: async (board) => ({ subjectId: (await made(board, REALITY, REQUEST)).id }),
  }),
];
