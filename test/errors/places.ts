import { appendFileSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishSignals } from '../builders/signal-snapshot.ts';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { announced, move } from '../support/board/board-writes.ts';
import { cast, HOUR_MS, PROPOSAL, proposed, ratified } from '../support/board/council.ts';
import { CLAIM_OF_EVIDENCE, EVIDENCE, HYPOTHESES, HYPOTHESIS } from '../support/board/cure-lab.ts';
import { publish, review, withdraw } from '../support/board/findings.ts';
import { LADDER, ladder, submission } from '../support/board/ladders.ts';
import {
  CALIBRATION,
  corroborated,
  DEAD_END,
  DEAD_ENDS,
  fulfil,
  made,
  PREDICTION,
  REALITY,
  REQUEST,
} from '../support/board/reality.ts';
import { samplePopulation } from '../support/board/results-gap.ts';
import { type Answer, openGateway, someTrial, type TestGateway } from '../support/gateway.ts';
import { openOrigin } from '../support/origin.ts';
import type { Place, Sent } from './table.ts';

export interface Places extends AsyncDisposable {
  board: TestBoard;
  /** Values that the table names. */
  names: Record<string, string>;
  send(place: Place, server: 'board' | 'gateway', method: string, sent: Sent & { path: string }): Promise<Answer>;
}

export async function openPlaces(): Promise<Places> {
  const stack = new AsyncDisposableStack();
  const origin = stack.use(await openOrigin());
  const closed = await openBoard({ population: await samplePopulation() });
  await closed.services.board[Symbol.asyncDispose]();
  const bare = stack.use(await openBoard());
  const boards: Partial<Record<Place, TestBoard>> = { 'closed board': closed, 'board without a snapshot': bare };
  const gateways = await openGateways(stack);
  return {
    board: origin.board,
    names: {
      ...(await prepared(origin.board, bare)),
      trial: (await someTrial(origin.gateway)).canonicalId,
    },
    async send(place, server, method, { path, body, headers = {} }) {
      if (server === 'board' && gateways[place] === undefined) {
        const board = boards[place] ?? origin.board;
        return method === 'GET' ? board.get(path, { headers }) : board.send(path, body, headers, method);
      }
      using _missing = place === 'index without Parquet files' ? withoutParquet(origin.gateway) : null;
      const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
      const init = { method, headers, ...(text === undefined ? {} : { body: text }) };
      return await (gateways[place] ?? origin.gateway).get(path, init);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Gateways without a board, over snapshots that a part is missing from. */
async function openGateways(stack: AsyncDisposableStack): Promise<Partial<Record<Place, TestGateway>>> {
  const empty = await mkdtemp(join(tmpdir(), 'trial-board-empty-'));
  stack.defer(() => rm(empty, { recursive: true }));
  const signals = stack.use(await publishSignals({}));
  appendFileSync(signals.path('signals.parquet'), 'altered');
  // A folder cannot be read as the record of runs, nor as a file of the log.
  mkdirSync(join(signals.snapshotsDir, 'runs.jsonl'));
  for (const name of ['checkpoint', 'checkpoints/1'])
    mkdirSync(join(signals.snapshotsDir, 'log', name), { recursive: true });
  const damaged = stack.use(await openGateway(signals.snapshotsDir));
  // Its model runs have no worker either.
  await damaged.index.twin.runs[Symbol.asyncDispose]();
  return {
    'index without a snapshot': stack.use(await openGateway(empty)),
    'index of damaged files': damaged,
  };
}

/** While this lasts, payloads and publications cannot be read. */
function withoutParquet({ index: { store } }: TestGateway): Disposable {
  const { rawPayloads, publications } = store;
  const gone = () => Promise.reject(new Error('the Parquet file is gone from /secret/place'));
  Object.assign(store, { rawPayloads: gone, publications: gone });
  return { [Symbol.dispose]: () => void Object.assign(store, { rawPayloads, publications }) };
}

/** Writes what the rows name to a board: of each kind one thing as it begins, and one of each end that it may have. */
async function prepared(board: TestBoard, bare: TestBoard): Promise<Record<string, string>> {
  const asking = { ...LADDER.rungs[0], rules: [{ path: 'id', rule: 'resolvesTo', to: 'trial' }] };
  const { rungs } = await ladder(bare, { rungs: [asking, LADDER.rungs[0]] });
  const { trial } = (await board.get('/api/v1/work/results-gap/next?agentName=gap')).body.data;
  return {
    ...{ trialRung: rungs[0].id, nctId: trial.nctId },
    ...(await preparedCouncil(board)),
    ...(await preparedWork(board)),
    ...(await preparedResearch(board)),
    ...(await preparedHolders(board)),
  };
}

async function preparedWork(board: TestBoard): Promise<Record<string, string>> {
  const [live, ended, done, renewed] = [
    await announced(board, { scope: 'live' }),
    await announced(board, { scope: 'ended' }),
    await announced(board, { scope: 'released' }),
    await announced(board, { scope: 'renewed' }),
  ];
  await move(board, done, 'release');
  for (let time = 0; time < 14; time += 1) await move(board, renewed, 'renew');
  const [finding, other, own, reviewed, gone] = [
    await publish(board),
    await publish(board),
    await publish(board),
    await publish(board, { agentName: 'eve' }),
    await publish(board),
  ];
  await review(board, reviewed.id);
  await withdraw(board, gone);
  return {
    ...{ claim: live.id, releaseToken: live.token, endingClaim: ended.id, endingToken: ended.token },
    ...{ releasedClaim: done.id, releasedToken: done.token, renewedClaim: renewed.id, renewedToken: renewed.token },
    ...{ finding: finding.id, withdrawToken: finding.withdrawToken, otherFinding: other.id, reviewed: reviewed.id },
    ...{ ownFinding: own.id, ownToken: own.withdrawToken, withdrawn: gone.id, withdrawnToken: gone.withdrawToken },
  };
}

async function preparedResearch(board: TestBoard): Promise<Record<string, string>> {
  const open = await made(board, REALITY, REQUEST);
  const fulfilled = await made(board, REALITY, { ...REQUEST, ask: 'fulfilled' });
  const prediction = await made(board, CALIBRATION, { ...PREDICTION, subjectId: open.id });
  await fulfil(board, fulfilled.id);
  const support = await corroborated(board);
  const standing = await made(board, DEAD_ENDS, DEAD_END);
  const other = await made(board, DEAD_ENDS, { ...DEAD_END, approach: 'another' });
  const overturned = await made(board, DEAD_ENDS, { ...DEAD_END, approach: 'overturned' });
  await board.send(`${DEAD_ENDS}/${overturned.id}`, { action: 'overturn', findingId: support, agentName: 'bob' });
  const climbed = await ladder(board);
  await board.send(`/api/v1/rungs/${climbed.rungs[0].id}`, submission());
  const { rungs } = await ladder(board);
  await withdraw(board, await publish(board, { title: 'Taken back', agentName: 'carl' }));
  await made(board, '/api/v1/methods', {
    ...{ slug: 'count-once', title: 'Count each trial once', appliesTo: 'Numbers of trials.', agentName: 'ada' },
    ...{ steps: ['Ask coverage.'], failureModes: ['Adding up registries.'] },
    derivedFrom: [support, (await publish(board, { agentName: 'eve' })).id],
  });
  return {
    ...{ request: open.id, fulfilled: fulfilled.id, prediction: prediction.id, corroborated: support },
    ...{ standing: standing.id, otherDeadEnd: other.id, overturned: overturned.id, ladder: climbed.id },
    ...{ satisfiedRung: climbed.rungs[0].id, rung: rungs[0].id, otherRung: rungs[1].id },
    evidence: (await made(board, EVIDENCE, CLAIM_OF_EVIDENCE)).id,
    hypothesis: (await made(board, HYPOTHESES, HYPOTHESIS)).id,
  };
}

async function preparedCouncil(board: TestBoard): Promise<Record<string, string>> {
  const decided = await ratified(board, 'norm', PROPOSAL.norm);
  board.clock.advance(HOUR_MS);
  const open = await proposed(board, 'glossary', PROPOSAL.glossary);
  await cast(board, open.id, 'voted');
  return { ratified: decided.id, amendment: open.id };
}

/** Keys and webhooks, with the secrets of their holders. */
async function preparedHolders(board: TestBoard): Promise<Record<string, string>> {
  const keys = [];
  for (const label of ['one', 'other', 'revoked']) keys.push(await made(board, '/api/v1/keys', { label }));
  const hook = await made(board, '/api/v1/webhooks', { url: 'https://93.184.215.14/hook' });
  return { key: keys[0].key, otherKey: keys[1].id, revokedKey: keys[2].key, hook: hook.id, secret: hook.secret };
}
