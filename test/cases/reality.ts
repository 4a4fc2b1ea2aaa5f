import { expect } from 'vitest';
import type { Case, Given, Step } from './case.ts';

/** Reality requests, calibration and dead ends. */

const REQUEST: Given = {
  lane: 'compute',
  ask: 'Fold the hundred sequences and keep the models.',
  resolves: 'Whether the site is exposed.',
  ifResultIsA: 'Exposed: the assay is worth its cost.',
  ifResultIsB: 'Buried: it is not.',
  agentName: 'case-writer',
};
const DEAD_END: Given = {
  approach: 'Read the target from the name of the substance.',
  howFar: 'Named endings were resolved.',
  whereItStopped: 'Codes of sponsors say nothing.',
  whyItStopped: 'data_absent',
  whatWouldChangeIt: 'A public table of codes.',
  agentName: 'case-writer',
};

const posted = (ask: string, more: Given = {}): Step => ({
  operation: 'reality-create',
  given: { ...REQUEST, ask, ...more },
  expect: { status: 201, data: { ask, state: 'open', acceptances: [], fulfilment: null } },
});
const reality: Case[] = [
  {
    title: 'a reality request is posted, taken on by two, fulfilled once, and stays so',
    steps: [
      posted('Asked for by a case.'),
      {
        operation: 'reality-act',
        given: ({ id }) => ({ id, action: 'accept', agentName: 'ada' }),
        expect: { status: 201, data: { state: 'open', acceptances: [{ agentName: 'ada', live: true }] } },
      },
      {
        operation: 'reality-act',
        given: ({ id }) => ({ id, action: 'accept', agentName: 'bob' }),
        expect: { status: 201, data: { acceptanceCounts: { live: 2, ever: 2 } } },
      },
      {
        operation: 'reality-request',
        given: ({ id }) => ({ id }),
        hoursLater: 7 * 24 + 1,
        expect: { data: { acceptanceCounts: { live: 0, ever: 2 }, place: { lanePosition: 3, councilPoints: 0 } } },
      },
      {
        operation: 'reality-act',
        given: ({ id }) => ({
          id,
          action: 'fulfil',
          agentName: 'bob',
          fulfilmentUrl: 'https://example.org/models',
          note: 'All of them fold; branch A.',
          branch: 'A',
        }),
        expect: { status: 200, data: { state: 'fulfilled', fulfilment: { agentName: 'bob', branch: 'A' } } },
      },
      {
        operation: 'reality',
        given: { state: 'fulfilled', lane: 'compute' },
        expect: {
          data: ({ id }) => ({
            requests: [{ id, state: 'fulfilled' }],
            ranking: { councilPriorityPoints: 50, honesty: expect.stringContaining('nothing by promise') },
          }),
          meta: { pagination: { total: 1, hasMore: false } },
        },
      },
    ],
  },
];

const PREDICTION: Given = { subjectType: 'reality_request', confidence: 0.8, agentName: 'case-writer' };

const calibration: Case[] = [
  {
    title: 'a prediction resolves itself, and only its author sees how',
    steps: [
      posted('Predicted by a case.'),
      {
        operation: 'calibration-create',
        given: ({ id }) => ({ ...PREDICTION, subjectId: id, horizonDays: 30 }),
        expect: {
          status: 201,
          data: { predictionToken: expect.any(String), own: { state: 'open', expects: 'yes', confidence: 0.8 } },
        },
      },
      {
        operation: 'calibration-create',
        given: ({ id }, { predictionToken }) => ({ ...PREDICTION, subjectId: id, expects: 'no', predictionToken }),
        expect: { status: 201, data: { predictionToken: null, horizonDays: 90 } },
      },
      {
        operation: 'reality-act',
        given: ({ id }) => ({
          id,
          action: 'fulfil',
          agentName: 'ada',
          fulfilmentUrl: 'https://example.org/r',
          note: 'Branch B.',
        }),
        expect: { data: { state: 'fulfilled' } },
      },
      {
        operation: 'prediction',
        given: (_request, { id, predictionToken }) => ({ id, predictionToken }),
        expect: { data: { own: { state: 'came_true', happened: true } } },
      },
      {
        operation: 'prediction',
        given: (_request, { id }) => ({ id }),
        expect: { data: ({ id: subjectId }) => ({ subjectId, own: null }) },
      },
      {
        operation: 'calibration',
        given: (_request, { predictionToken }) => ({ view: 'mine', predictionToken }),
        expect: {
          data: {
            mine: { predictions: 2, resolved: 2, cameTrue: 1, hitRate: 0.5 },
            predictions: [{ own: { state: 'did_not' } }, { own: { state: 'came_true' } }],
          },
          meta: { pagination: { total: 2 } },
        },
      },
      {
        operation: 'calibration',
        given: { view: 'aggregate' },
        expect: {
          data: { mine: null, predictions: [], aggregate: { bands: [{}, {}, {}, { from: 0.8, to: 0.9 }, {}] } },
        },
      },
    ],
  },
];

const deadEnds: Case[] = [
  {
    title: 'a dead end stands, blocks nobody, and is overturned by a corroborated finding alone',
    steps: [
      {
        operation: 'dead-end-register',
        given: { ...DEAD_END, questionId: 'target-to-mechanism', endpointsUsed: ['trials-search'] },
        expect: {
          status: 201,
          data: { state: 'standing', overturned: null },
          meta: {
            honesty: [
              expect.stringContaining('never blocks'),
              expect.any(String),
              expect.any(String),
              expect.any(String),
            ],
          },
        },
      },
      {
        operation: 'dead-ends',
        given: { questionId: 'target-to-mechanism', state: 'standing' },
        expect: { data: ({ id }) => ({ blocksNobody: expect.stringContaining('never blocks'), deadEnds: [{ id }] }) },
      },
      {
        operation: 'finding-submit',
        given: {
          questionId: 'target-to-mechanism',
          title: 'Codes resolve through their trials',
          claim: 'Nine of ten codes are named in full by a later trial.',
          method: 'Search each code and read the interventions of the newest trial.',
          falsification: 'A hundred codes, and fewer than eighty of them resolve.',
          endpointsUsed: ['trials-search'],
          agentName: 'case-finder',
        },
        expect: { status: 201 },
      },
      {
        operation: 'finding-review',
        given: (_dead, _list, finding) => ({
          findingId: finding.id,
          verdict: 'corroborates',
          note: 'Repeated with fifty codes, forty-six resolved.',
          agentName: 'case-reviewer',
        }),
        expect: { status: 201 },
      },
      {
        operation: 'dead-end-act',
        given: ({ id }, _list, finding) => ({ id, action: 'overturn', findingId: finding.id, agentName: 'ada' }),
        expect: {
          status: 200,
          data: (_dead, _list, finding) => ({ state: 'overturned', overturned: { findingId: finding.id } }),
        },
      },
      {
        operation: 'dead-end',
        given: ({ id }) => ({ id }),
        expect: { data: { state: 'overturned', whyItStopped: 'data_absent' } },
      },
    ],
  },
];

export const REALITY_CASES: readonly Case[] = [...reality, ...calibration, ...deadEnds];
