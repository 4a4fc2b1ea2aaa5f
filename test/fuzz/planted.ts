import { TWIN_BENCHMARK_EXAMPLE, TWIN_EXPERIMENT_EXAMPLE } from '../../contract/declared/twin-examples.ts';
import { BETA_CELL_EXAMPLE } from '../../contract/operations/research/twin-beta-cell.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { amendment, PROPOSAL, REASONS } from '../support/board/council.ts';
import { CLAIM_OF_EVIDENCE, HYPOTHESIS } from '../support/board/cure-lab.ts';
import { FINDING, REVIEW } from '../support/board/findings.ts';
import { LADDER } from '../support/board/ladders.ts';
import { CALIBRATION, DEAD_END, DEAD_ENDS, PREDICTION, REALITY, REQUEST } from '../support/board/reality.ts';
import type { TestOrigin } from '../support/origin.ts';

/** Real values for arguments, so that a fuzzed request passes the first checks. */
export interface Planted {
  /** Values by the beginning of an operation's path and the argument's name. */
  byPath: Record<string, Record<string, readonly unknown[]>>;
  /** Values by the argument's name alone. */
  byName: Record<string, readonly string[]>;
  apiKeys: readonly string[];
  /** The token or secret that goes with an id. */
  tokensOf: ReadonlyMap<string, string>;
}

const TRIALS = ['wt_r1r6vb1x9ja8', 'NCT90000183', 'isrctn90531804', 'wt_fadvkn9n1d5a', '2026-589004-10'];
const KEYS = ['fuzz-key-1', '"fuzz-key-2"', '6f1ed002-ab5e-4d3c-8a51-0f7c0c3ce7ad'];

const TRIALS_NAMED = { id: TRIALS, canonicalId: TRIALS };
/** The sample is the only version, and its name is not known here. */
const VERSIONS = ['current'];
const COUNT = 8;
/** A claim ends with its release, which many requests of its holder ask for. */
const CLAIMS_COUNT = 40;
const METHOD = {
  slug: 'fuzzed-method',
  title: 'A method',
  appliesTo: 'Everything that is fuzzed.',
  steps: ['Send it.'],
  failureModes: ['It fails.'],
  agentName: 'ada',
};
/** There are more keys than other objects, since a request may revoke a key for good. */
const KEYS_COUNT = 40;

/** Each group of addresses may hold few keys, so that each of these has a group of its own. */
async function plantKeys({ boardServer }: TestOrigin): Promise<Record<string, string>[]> {
  const keys = [];
  for (let place = 0; place < KEYS_COUNT; place += 1) {
    const answer = await fetch(`${boardServer.url}/api/v1/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.${place}.1` },
      body: JSON.stringify({ label: `key ${place}` }),
    });
    if (answer.status !== 201) throw new Error(`no key was planted: ${await answer.text()}`);
    const { data } = (await answer.json()) as { data: Record<string, string> };
    keys.push(data);
  }
  return keys;
}

/** Writes objects of every kind to the board. Returns their ids and tokens. */
export async function plant(origin: TestOrigin): Promise<Planted> {
  const made = async (path: string, body: object) => {
    const { status, body: answer } = await origin.send(path, body);
    if (status !== 201) throw new Error(`not planted: ${path} ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const several = async (path: string, bodyOf: (place: number) => object, count = COUNT) => {
    const all = [];
    for (let place = 0; place < count; place += 1) all.push(await made(path, bodyOf(place)));
    return all;
  };
  const textsOf = (all: Record<string, string>[], name: string): string[] => all.map((each) => each[name]!);
  const claims = await several('/api/v1/claims', (place) => ({ ...CLAIM, scope: `slice ${place}` }), CLAIMS_COUNT);
  const findings = await several('/api/v1/findings', (place) => ({ ...FINDING, title: `Finding ${place}` }));
  const [one, two] = findings;
  await made(`/api/v1/findings/${one.id}/review`, REVIEW);
  const link = { toId: two.id, relation: 'extends', note: 'Goes on from there.', agentName: 'ada' };
  await made(`/api/v1/findings/${one.id}/link`, link);
  const message = await made('/api/v1/threads', MESSAGE);
  const amendments = await several('/api/v1/council', (place) =>
    amendment('norm', { statement: `Norm ${place}: state the snapshot id.` }),
  );
  const requests = await several(REALITY, (place) => ({ ...REQUEST, ask: `Measure ${place}` }));
  const deadEnds = await several(DEAD_ENDS, (place) => ({ ...DEAD_END, approach: `Approach ${place}` }));
  const predictions = await several(CALIBRATION, (place) => ({ ...PREDICTION, subjectId: requests[place].id }));
  const ladders = await several('/api/v1/decompositions', (place) => ({ ...LADDER, title: `Ladder ${place}` }));
  // No request has the tokens of these findings, so they are never withdrawn.
  const sources = await several('/api/v1/findings', (place) => ({ ...FINDING, agentName: `source ${place}` }), 2);
  const card = { ...METHOD, derivedFrom: textsOf(sources, 'id') };
  const methods = await several('/api/v1/methods', (place) => ({ ...card, slug: `method-${place}` }));
  const keys = await plantKeys(origin);
  const hooks = await several('/api/v1/webhooks', () => ({ url: 'https://93.184.215.14/hook' }));
  const hypothesis = await made('/api/v1/cure-lab/hypotheses', HYPOTHESIS);
  const evidence = await several('/api/v1/cure-lab/evidence', (place) => ({
    ...CLAIM_OF_EVIDENCE,
    agentName: `agent ${place}`,
    direction: place % 2 === 0 ? 'supports' : 'contradicts',
    hypothesisId: hypothesis.id,
  }));
  const next = async (agentName: string): Promise<string> =>
    (await origin.get(`/api/v1/work/results-gap/next?agentName=${agentName}`)).body.data.trial.nctId;
  const nctIds = await Promise.all(['ada', 'bob', 'eve'].map(next));
  const findingIds = textsOf(findings, 'id');
  const everyId = [...textsOf(claims, 'id'), ...findingIds, message.id, 'map-one-disease', 'freshness-drift'];
  const coverage = await origin.get('/api/v1/trials/coverage?q=diabetes');
  return {
    byPath: {
      '/snapshots/log/': { name: ['checkpoint', 'identities', 'keys'], size: ['1'] },
      '/api/v1/trials/changes': { since: VERSIONS, until: VERSIONS },
      '/api/v1/trials/': TRIALS_NAMED,
      '/api/v1/claims/': { id: textsOf(claims, 'id'), action: ['renew', 'deliver'] },
      '/api/v1/findings/': { id: findingIds },
      '/api/v1/council/': {
        id: textsOf(amendments, 'id'),
        action: ['vote', 'exercise'],
        // Votes are final, so a single agent would soon have voted on every amendment.
        agentName: Array.from({ length: COUNT }, (_, place) => `voter ${place}`),
        vote: ['ratify', 'reject', 'abstain'],
        reasoning: [REASONS.rationale],
        note: [REASONS.falsifier],
      },
      '/api/v1/council': partsOf(amendment('norm', PROPOSAL.norm)),
      '/api/v1/webhooks/': { id: textsOf(hooks, 'id') },
      [REALITY]: { id: textsOf(requests, 'id') },
      // Only this finding is corroborated, and only a corroborated finding overturns a dead end.
      [DEAD_ENDS]: { id: textsOf(deadEnds, 'id'), findingId: [one.id] },
      [CALIBRATION]: { id: textsOf(predictions, 'id'), subjectId: textsOf(requests, 'id') },
      '/api/v1/decompositions/': { id: textsOf(ladders, 'id') },
      '/api/v1/decompositions': partsOf(LADDER),
      '/api/v1/rungs/': {
        id: ladders.flatMap(({ rungs }) => textsOf(rungs, 'id')),
        output: [{ share: 0.5, note: 'It is half.' }],
        finding: [{ ...FINDING, agentName: null }],
      },
      '/api/v1/methods/': { slug: textsOf(methods, 'slug'), findingId: findingIds, action: ['used'] },
      '/api/v1/methods': partsOf(card),
      '/api/v1/keys': { id: textsOf(keys, 'id'), label: ['renamed'], rateLimit: [600] },
      '/api/v1/threads': partsOf(MESSAGE),
      '/api/v1/cure-lab/evidence/': { id: textsOf(evidence, 'id') },
      '/api/v1/cure-lab/evidence': partsOf({
        ...CLAIM_OF_EVIDENCE,
        evidenceClass: 'E4',
        hypothesisId: hypothesis.id,
        // A claim has exactly one source, and a value needs its unit, so these fields are left out.
        ...{ doi: undefined, nctId: undefined, value: undefined },
      }),
      '/api/v1/cure-lab/hypotheses/': { id: [hypothesis.id] },
      '/api/v1/cure-lab/hypotheses': partsOf(HYPOTHESIS),
      '/api/v1/cure-lab/diseases/': { id: ['obesity', 'type-1-diabetes'] },
      '/api/v1/agents/': { name: ['ada', 'bob'] },
      '/api/v1/curriculum': { id: ['map-one-disease', 'virtual-cell-intake'] },
      '/api/v1/open-questions': { id: ['freshness-drift'] },
      '/api/v1/snapshots': { version: VERSIONS, from: VERSIONS, to: VERSIONS, q: ['NCT'] },
      '/api/v1/pipeline/runs': { run: ['latest'], outcome: ['PUBLISHED', 'REFUSED'], command: ['run', 'gc'] },
      '/snapshots/': {
        version: VERSIONS,
        folder: ['proofs'],
        name: ['manifest.json', 'trials.parquet', 'links.parquet', 'trials.tree', 'links.tree'],
      },
      '/api/v1/twin/beta-cell': partsOf(BETA_CELL_EXAMPLE),
      '/api/v1/twin/experiment': partsOf(TWIN_EXPERIMENT_EXAMPLE),
      '/api/v1/twin/benchmark': partsOf(TWIN_BENCHMARK_EXAMPLE),
    },
    byName: {
      id: everyId,
      receipt: [coverage.body._meta.receipt],
      findingId: findingIds,
      fromId: findingIds,
      toId: findingIds,
      subjectId: everyId,
      objectiveId: ['map-one-disease', 'virtual-cell-intake', 'target-to-trial'],
      questionId: ['freshness-drift', 'deduplication-recall'],
      agentName: ['ada', 'bob', 'eve'],
      releaseToken: textsOf(claims, 'releaseToken'),
      withdrawToken: textsOf(findings, 'withdrawToken'),
      predictionToken: textsOf(predictions, 'predictionToken'),
      secret: textsOf(hooks, 'secret'),
      webhookSecret: textsOf(hooks, 'secret'),
      idempotencyKey: KEYS,
      since: [message.postedAt, claims[0].createdAt, '0', '2030-01-01T00:00:00Z'],
      url: [
        'https://93.184.215.14/hook',
        'http://127.0.0.1/',
        'https://user:pass@93.184.215.14/',
        'http://[::1]:8080/',
      ],
      artifactUrl: ['https://example.org/a?b=c#d', 'http://xn--80ak6aa92e.com/'],
      topic: ['type-1-diabetes', 'oncology'],
      condition: ['Asthma', 'type 1 diabetes'],
      country: ['united kingdom', 'France'],
      node: ['condition', 'outcome'],
      code: ['INVALID_PARAM', 'finding_not_found'],
      nctId: nctIds,
      pmid: ['12345678'],
      doi: ['10.1000/xyz123'],
      endpointsUsed: ['trials-search', 'findings'],
      tool: ['claim_work', 'searchTrials', 'trials-stats'],
      file: ['client.js', 'client.ts', 'package.json'],
    },
    apiKeys: textsOf(keys, 'key'),
    tokensOf: new Map([
      ...claims.map(({ id, releaseToken }): [string, string] => [id, releaseToken]),
      ...findings.map(({ id, withdrawToken }): [string, string] => [id, withdrawToken]),
      ...hooks.map(({ id, secret }): [string, string] => [id, secret]),
      ...predictions.map(({ id, predictionToken }): [string, string] => [id, predictionToken]),
    ]),
  };
}

/** The parts of a body, each as the only value for its argument. */
function partsOf(body: object): Record<string, readonly unknown[]> {
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, [part]]));
}

/** The board's values for an argument: those of its path if there are any, else those of its name. */
export function plantedFor({ byPath, byName }: Planted, name: string, path: string): readonly unknown[] {
  const place = Object.keys(byPath).find((start) => path.startsWith(start));
  return (place === undefined ? undefined : byPath[place]?.[name]) ?? byName[name] ?? [];
}
