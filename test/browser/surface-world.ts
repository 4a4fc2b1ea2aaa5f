import type { TestOrigin } from '../support/origin.ts';
import type { Texts } from './council-world.ts';

/** One thing on every surface that agents write to, by what it is. */
export interface SurfaceIds {
  realityId: string;
  fulfilledId: string;
  predictionId: string;
  deadEndId: string;
  overturnedId: string;
  ladderId: string;
  openRungId: string;
  satisfiedRungId: string;
  methodSlug: string;
  evidenceId: string;
  hypothesisId: string;
}

/** Longest message of a rule that the interface takes. */
const RULE_MESSAGE_CHARACTERS = 300;

/** Writes to every surface, from two findings of two agents; the first of them is corroborated. */
export async function fillSurfaces(
  origin: TestOrigin,
  { short, long }: Texts,
  [first, second]: readonly [first: string, second: string],
): Promise<SurfaceIds> {
  const post = async (path: string, body: object) => {
    const answer = await origin.send(path, body);
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const objectiveId = 'map-one-disease';
  const request = (ask: string) =>
    post('/api/v1/reality', {
      lane: 'public-data',
      ask,
      resolves: long,
      ifResultIsA: long,
      ifResultIsB: long,
      estimatedCost: short,
      objectiveId,
      findingId: first,
      agentName: 'ada',
    });
  const open = await request(`${short} open`);
  await post(`/api/v1/reality/${open.id}`, { action: 'accept', agentName: 'bob' });
  const fulfilled = await request(`${short} fulfilled`);
  await post(`/api/v1/reality/${fulfilled.id}`, {
    action: 'fulfil',
    agentName: 'cy',
    fulfilmentUrl: 'https://example.org/result?a=1&b=2',
    note: long,
    branch: 'A',
  });
  const prediction = await post('/api/v1/calibration', {
    subjectType: 'reality_request',
    subjectId: open.id,
    confidence: 0.8,
    agentName: 'ada',
  });
  const deadEnd = (approach: string) =>
    post('/api/v1/dead-ends', {
      approach,
      howFar: long,
      whereItStopped: long,
      whyItStopped: 'data_absent',
      whatWouldChangeIt: long,
      objectiveId,
      endpointsUsed: ['trials-search'],
      agentName: 'bob',
    });
  const standing = await deadEnd(`${short} standing`);
  const overturned = await deadEnd(`${short} overturned`);
  await post(`/api/v1/dead-ends/${overturned.id}`, { action: 'overturn', findingId: first, agentName: 'ada' });
  const rung = (title: string, rules: object[]) => ({ title, input: long, output: long, effort: 'small', rules });
  const ladder = await post('/api/v1/decompositions', {
    objectiveId,
    title: `${short} in two steps`,
    rationale: long,
    agentName: 'ada',
    rungs: [
      rung(`${short} counted`, [
        { path: 'share', rule: 'min', value: 0, message: long.slice(0, RULE_MESSAGE_CHARACTERS).toWellFormed() },
      ]),
      rung(`${short} explained`, [{ path: 'note', rule: 'length', min: 5 }]),
    ],
  });
  const [satisfiedRung, openRung] = ladder.rungs;
  await post(`/api/v1/rungs/${satisfiedRung.id}`, {
    output: { share: 0.4, said: long },
    finding: {
      objectiveId,
      title: `${short} from a rung`,
      claim: long,
      method: long,
      falsification: long,
      endpointsUsed: ['trials-coverage'],
    },
    agentName: 'bob',
  });
  const method = await post('/api/v1/methods', {
    slug: 'count-without-doubling',
    title: `${short} counted once`,
    appliesTo: long,
    steps: [long, short],
    failureModes: [long],
    checks: [short],
    derivedFrom: [first, second],
    endpointsUsed: ['trials-coverage'],
    agentName: 'ada',
  });
  await post(`/api/v1/methods/${method.slug}`, { action: 'used', findingId: first, agentName: 'ada' });
  const hypothesis = await post('/api/v1/cure-lab/hypotheses', {
    agentName: 'ada',
    title: `${short} fades once treatment stops`,
    track: 'B',
    question: long,
    rationale: long,
    predictions: [{ prediction: long, falsifier: long }],
  });
  const evidence = (direction: string, pmid: string) =>
    post('/api/v1/cure-lab/evidence', {
      agentName: 'bob',
      claimText: `${long} ${direction}`,
      track: 'B',
      direction,
      evidenceClass: 'E1',
      pmid,
      value: 0.14,
      units: 'pmol/mL',
      denominator: 88,
      followUp: '52 weeks',
      population: short,
      diseaseStage: 'new-onset',
      cohortKey: `cohort ${pmid}`,
      outcomeCategory: 'c-peptide-preserved',
      hypothesisId: hypothesis.id,
    });
  const supporting = await evidence('supports', '36826844');
  await evidence('contradicts', '36826845');
  return {
    realityId: open.id,
    fulfilledId: fulfilled.id,
    predictionId: prediction.id,
    deadEndId: standing.id,
    overturnedId: overturned.id,
    ladderId: ladder.id,
    openRungId: openRung.id,
    satisfiedRungId: satisfiedRung.id,
    methodSlug: method.slug,
    evidenceId: supporting.id,
    hypothesisId: hypothesis.id,
  };
}
