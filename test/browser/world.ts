import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { getTrialCoverage, searchTrials } from '../../contract/operations/trials/trials.ts';
import { openIndexServices } from '../../index-server/services.ts';
import { RUN_LOG_FILE, type RunGate } from '../../snapshot/format/versions/run-log.ts';
import { runLogText } from '../builders/run-log.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { type TwoVersions, twoVersions } from '../support/two-versions.ts';
import { until } from '../support/until.ts';
import { decideCouncil, deliberate, type Texts } from './council-world.ts';
import { fillSurfaces, type SurfaceIds } from './surface-world.ts';

/** The whole service in this process, with something of every kind on its board. */
export interface World extends AsyncDisposable, SurfaceIds {
  origin: TestOrigin;
  /** A trial that both registries hold. */
  trialId: string;
  /** A finding that has a review and that another finding extends. */
  findingId: string;
  claimId: string;
  /** Of a count of trials that the served snapshot gives. */
  receipt: string;
  amendmentId: string;
  /** Both snapshots on disk. The older one is served: the sample that all tests use. */
  versions: TwoVersions;
}

const PLAIN: Texts = {
  short: 'Few sponsors hold most trials',
  long: 'Ten sponsors hold less than half of the trials of this slice; see https://example.org/table?a=1&b=2 for the sums.',
};

export async function openWorld(texts: Texts = PLAIN): Promise<World> {
  const opened = new AsyncDisposableStack();
  try {
    const versions = opened.use(await twoVersions('older'));
    await addRuns(versions.snapshotsDir);
    const index = opened.use(await openIndexServices(versions.snapshotsDir, pino({ level: 'silent' })));
    const origin = opened.use(await openOrigin({ index }));
    // A comparison page answers 503 while the comparison is computed, which takes long on a busy machine.
    const { older, newer } = versions;
    for (const pair of [`${older}/diff/${newer}`, `${newer}/diff/${older}`]) {
      await until(async () => (await fetch(`${origin.url}/api/v1/snapshots/${pair}`)).status === 200);
    }
    return { origin, versions, ...(await fill(origin, texts)), [Symbol.asyncDispose]: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Runs of another autumn after the one that made the sample. */
async function addRuns(snapshotsDir: string): Promise<void> {
  const gate: RunGate = {
    checks: [
      { name: 'shrink:isrctn', figure: 0.5, affected: 110, limit: 0.02, verdict: 'refused' },
      { name: 'changed:isrctn', figure: 0.12, affected: 60, limit: 0.1, verdict: 'accepted' },
      { name: 'newest:isrctn', figure: null, affected: null, limit: 3, verdict: 'not-compared' },
      {
        name: 'nulls:clinicaltrials_gov:primary_completion_date',
        figure: 0.00123456,
        affected: 1,
        limit: 0.2,
        verdict: 'passed',
      },
    ],
    accepted: ['changed:isrctn'],
    reason: 'Ann: twelve were withdrawn',
  };
  const message =
    'not published; the served snapshot stays:\n  shrink:isrctn: registrations fall from 220 to 110 (50 %, at most 2 %); to publish anyway: --accept shrink:isrctn --reason "who accepts it and why"';
  const stages = [
    { stage: 'fetch', seconds: 912.4 },
    { stage: 'normalise', seconds: 41 },
  ];
  const text = runLogText([
    { day: 0, end: null },
    { day: 1, end: { code: 'REFUSED', exitCode: 4, message, stages, gate } },
    { day: 2, end: { code: 'PUBLISHED_DEGRADED', exitCode: 3, stages } },
  ]);
  await appendFile(join(snapshotsDir, RUN_LOG_FILE), text);
}

async function fill(
  origin: TestOrigin,
  { short, long }: Texts,
): Promise<Omit<World, 'origin' | 'versions' | keyof AsyncDisposable>> {
  const post = async (path: string, body: object) => {
    const answer = await origin.send(path, body);
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  // This moves the clock by days and would end leases, so it comes first.
  await decideCouncil(origin);
  const objectiveId = 'map-one-disease';
  const claim = await post('/api/v1/claims', { objectiveId, scope: short, intent: long, agentName: 'ada' });
  await post('/api/v1/threads', { subjectType: 'objective', subjectId: objectiveId, body: long, agentName: 'bob' });
  const counted = await origin.get(`${getTrialCoverage.path}?q=diabetes`);
  const receipt = counted.body._meta.receipt as string;
  const finding = (agentName: string, more: string, receipts: readonly string[] = []) =>
    post('/api/v1/findings', {
      objectiveId,
      title: `${short} ${more}`,
      claim: long,
      method: `GET /api/v1/trials/landscape?q=diabetes and sum the shares. ${long}`,
      falsification: `The sum is one half or more. ${long}`,
      endpointsUsed: ['trials-landscape'],
      receipts,
      agentName,
    });
  const first = await finding('ada', 'first', [receipt]);
  const second = await finding('cy', 'second');
  await post(`/api/v1/findings/${first.id}/review`, { verdict: 'corroborates', note: long, agentName: 'bob' });
  await post(`/api/v1/findings/${second.id}/link`, {
    toId: first.id,
    relation: 'extends',
    note: long,
    agentName: 'cy',
  });
  const amendment = await post('/api/v1/council', {
    agentName: 'ada',
    kind: 'norm',
    proposal: { statement: long },
    rationale: long,
    falsifier: long,
  });
  await deliberate(origin, amendment.id, { short, long });
  const waiting = await origin.get('/api/v1/work/results-gap/next');
  await post('/api/v1/work/results-gap', {
    agentName: 'ada',
    nctId: waiting.body.data.trial.nctId,
    outcome: 'publication',
    pmid: '41000001',
    doi: '10.1000/made-up.1',
    publicationType: 'results',
    searchStrategy: long,
    note: long,
  });
  const { body } = await origin.get(`${searchTrials.path}?pageSize=100`);
  const trials = body.data.trials as { canonicalId: string; registries: string[] }[];
  const trialId = trials.find(({ registries }) => registries.length === 2)!.canonicalId;
  const surfaces = await fillSurfaces(origin, { short, long }, [first.id, second.id]);
  return { trialId, receipt, findingId: first.id, claimId: claim.id, amendmentId: amendment.id, ...surfaces };
}
