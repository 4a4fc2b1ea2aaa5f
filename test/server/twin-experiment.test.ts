import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../contract/canonical-json.ts';
import { TWIN_EXPERIMENT_EXAMPLE } from '../../contract/declared/twin-examples.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { type Answer, openGateway } from '../support/gateway.ts';
import { endless, largestExperiment, robertson } from '../support/hardest-experiments.ts';
import { ofFile } from '../support/of-file.ts';

const EXPERIMENT = '/api/v1/twin/experiment';
const BENCHMARK = '/api/v1/twin/benchmark';

const gateway = ofFile(() => openGateway());

const post = (path: string, body: unknown): Promise<Answer> =>
  gateway.get(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('the twin experiment', () => {
  it('carries a manifest that its input and its result can be held against', async () => {
    const { status, body } = await post(EXPERIMENT, TWIN_EXPERIMENT_EXAMPLE);
    expect(status).toBe(200);
    const { manifest, ...result } = body.data;
    expect(manifest.inputSha256).toBe(sha256(canonicalJson(manifest.input)));
    expect(manifest.resultSha256).toBe(sha256(canonicalJson(result)));
    expect((await post(EXPERIMENT, manifest.input)).body.data).toEqual(body.data);
  });

  it('rejects a run that takes more arithmetic than one may, and says how far it came', async () => {
    const { status, body } = await post(EXPERIMENT, endless());
    expect([status, body.error.code]).toEqual([422, 'run_rejected']);
    expect(body.error.issues).toHaveLength(1);
    expect(body.error.message).toMatch(/came to time [\d.e-]+ of 1000, then stopped/);
    expect(body.error.message).toContain('fewer species');
  });

  it('lets searches be answered while the largest runs are under way', async () => {
    let done = false;
    const experiments = ['one', 'two', 'three'].map((id) => largestExperiment(id));
    const run = post(BENCHMARK, { experiments }).finally(() => {
      done = true;
    });
    for (let search = 0; search < 5; search += 1) {
      expect((await gateway.get(`/api/v1/trials/search?q=diabetes&page=${search + 1}`)).status).toBe(200);
    }
    expect(done).toBe(false);
    const { status, body } = await run;
    expect(status).toBe(200);
    expect(body.data.candidates.map(({ state }: { state: string }) => state)).toEqual(['ran', 'ran', 'ran']);
  });
});

describe('the twin benchmark', () => {
  it('keeps a candidate that fails, with its reason, beside those that ran', async () => {
    const { model, ...rest } = robertson();
    // x' = x * x from 1 has its pole at time 1.
    const pole = {
      id: 'pole',
      rate: 1,
      reactants: [{ species: 'A', count: 2 }],
      products: [{ species: 'A', count: 3 }],
    };
    const bursting = { ...model, id: 'bursting', reactions: [pole, model.reactions[0]], conservedPools: [] };
    const { status, body } = await post(BENCHMARK, {
      experiments: [
        { model, ...rest },
        { model: bursting, ...rest },
      ],
    });
    expect(status).toBe(200);
    expect(body.data.candidates).toMatchObject([
      { id: 'robertson', state: 'ran', reason: null },
      { id: 'bursting', state: 'failed', verification: null, manifest: null },
    ]);
    expect(body.data.candidates[1].reason).toMatch(/too short to move the time on/);
    expect(body.data.disagreements.total).toBe(0);
  });
});
