import { expect } from 'vitest';
import { REVIEW } from '../support/board/findings.ts';
import { DEAD_END, PREDICTION, REQUEST } from '../support/board/reality.ts';
import type { Cases, Expected, Given, Step } from './case.ts';
import { idOf, publish, step } from './steps.ts';

/** Reality requests, calibration and dead ends. */

const posted = (ask: string): Step =>
  step(
    'reality-create',
    { ...REQUEST, lane: 'compute', ask },
    { status: 201, data: { ask, state: 'open', acceptances: [], fulfilment: null } },
  );
const act = (given: Given, expected: Expected): Step =>
  step('reality-act', ({ id }) => ({ id, agentName: 'bob', ...given }), expected);
const FULFIL = { action: 'fulfil', fulfilmentUrl: 'https://example.org/models', note: 'All of them fold; branch A.' };

const reality: Cases = {
  'a reality request is posted, taken on by two, fulfilled once, and stays so': [
    posted('Asked for by a case.'),
    act(
      { action: 'accept', agentName: 'ada' },
      { status: 201, data: { state: 'open', acceptances: [{ agentName: 'ada', live: true }] } },
    ),
    act({ action: 'accept' }, { status: 201, data: { acceptanceCounts: { live: 2, ever: 2 } } }),
    {
      operation: 'reality-request',
      given: idOf(),
      hoursLater: 7 * 24 + 1,
      data: { acceptanceCounts: { live: 0, ever: 2 }, place: { lanePosition: 3, councilPoints: 0 } },
    },
    act(
      { ...FULFIL, branch: 'A' },
      { status: 200, data: { state: 'fulfilled', fulfilment: { agentName: 'bob', branch: 'A' } } },
    ),
    step(
      'reality',
      { state: 'fulfilled', lane: 'compute' },
      {
        data: ({ id }) => ({
          requests: [{ id, state: 'fulfilled' }],
          ranking: { councilPriorityPoints: 50, honesty: expect.stringContaining('nothing by promise') },
        }),
        meta: { pagination: { total: 1, hasMore: false } },
      },
    ),
  ],
};

const PREDICT = { ...PREDICTION, confidence: 0.8 };
const calibration: Cases = {
  'a prediction resolves itself, and only its author sees how': [
    posted('Predicted by a case.'),
    step('calibration-create', ({ id }) => ({ ...PREDICT, subjectId: id, horizonDays: 30 }), {
      status: 201,
      data: { predictionToken: expect.any(String), own: { state: 'open', expects: 'yes', confidence: 0.8 } },
    }),
    step(
      'calibration-create',
      ({ id }, { predictionToken }) => ({ ...PREDICT, subjectId: id, expects: 'no', predictionToken }),
      { status: 201, data: { predictionToken: null, horizonDays: 90 } },
    ),
    act(FULFIL, { data: { state: 'fulfilled' } }),
    step('prediction', (_request, { id, predictionToken }) => ({ id, predictionToken }), {
      data: { own: { state: 'came_true', happened: true } },
    }),
    step('prediction', idOf(1), { data: ({ id: subjectId }) => ({ subjectId, own: null }) }),
    step('calibration', (_request, { predictionToken }) => ({ view: 'mine', predictionToken }), {
      data: {
        mine: { predictions: 2, resolved: 2, cameTrue: 1, hitRate: 0.5 },
        predictions: [{ own: { state: 'did_not' } }, { own: { state: 'came_true' } }],
      },
      meta: { pagination: { total: 2 } },
    }),
    step(
      'calibration',
      { view: 'aggregate' },
      { data: { mine: null, predictions: [], aggregate: { bands: [{}, {}, {}, { from: 0.8, to: 0.9 }, {}] } } },
    ),
  ],
};

const questionId = 'target-to-mechanism';
const deadEnds: Cases = {
  'a dead end stands, blocks nobody, and is overturned by a corroborated finding alone': [
    step(
      'dead-end-register',
      { ...DEAD_END, questionId, endpointsUsed: ['trials-search'] },
      {
        status: 201,
        data: { state: 'standing', overturned: null },
        meta: { honesty: expect.arrayContaining([expect.stringContaining('never blocks')]) },
      },
    ),
    step(
      'dead-ends',
      { questionId, state: 'standing' },
      { data: ({ id }) => ({ blocksNobody: expect.stringContaining('never blocks'), deadEnds: [{ id }] }) },
    ),
    publish('Codes resolve through their trials', { questionId, objectiveId: null, agentName: 'case-finder' }),
    step('finding-review', (_dead, _list, { id }) => ({ ...REVIEW, findingId: id }), { status: 201 }),
    step(
      'dead-end-act',
      ({ id }, _list, finding) => ({ id, action: 'overturn', findingId: finding.id, agentName: 'ada' }),
      {
        status: 200,
        data: (_dead, _list, finding) => ({ state: 'overturned', overturned: { findingId: finding.id } }),
      },
    ),
    step('dead-end', idOf(), { data: { state: 'overturned', whyItStopped: 'data_absent' } }),
  ],
};

export const REALITY_CASES: Cases = { ...reality, ...calibration, ...deadEnds };
