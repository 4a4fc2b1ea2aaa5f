import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BETA_CELL_EXAMPLE } from '../../contract/operations/research/twin-beta-cell.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { type Answer, openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

const PATH = '/api/v1/twin/beta-cell';
const { customDataset: DATASET } = BETA_CELL_EXAMPLE;
const [CONTROL, COMPARATOR] = DATASET.arms;

const sample = ofFile(() => openGateway());

async function run(body: unknown, gateway = sample): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return gateway.get(PATH, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
}

const withDataset = (changes: object) => ({ ...BETA_CELL_EXAMPLE, customDataset: { ...DATASET, ...changes } });
const withPoints = (points: unknown) => withDataset({ arms: [{ ...CONTROL, points }, COMPARATOR] });
const series = (weeks: readonly number[]) => weeks.map((week) => ({ week, value: 1 }));

/** JSON with its keys sorted at every depth. Written here again, to check a manifest without the service's code. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(',')}}`;
}
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('a run of the built-in dataset', () => {
  it('is what an empty body asks for, and is labelled synthetic on a sample', async () => {
    const { status, body } = await run({});
    expect(status).toBe(200);
    const { data, _meta } = body;
    expect(data.input).toMatchObject({ dataset: 'clver', trainingThroughWeek: 39, durationWeeks: 52 });
    expect(data.dataset).toMatchObject({ id: 'clver', synthetic: true, snapshot: _meta.snapshot });
    expect(data.dataset.checksum).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(data.limits[0]).toMatch(/^SYNTHETIC/);
    expect(data.limits.some((limit: string) => limit.includes('(pmol/ml)*minutes'))).toBe(true);
    expect(data.fit.control.visits.map(({ week, role }: { week: number; role: string }) => `${week} ${role}`)).toEqual([
      '0 baseline',
      '13 training',
      '26 training',
      '39 training',
      '52 held-out',
    ]);
    // The published ratios: 0.44/0.60 and 0.65/0.66.
    expect(data.fit.control.visits[4].observedRatio).toBeCloseTo(0.7333, 4);
    expect(data.fit.comparator.visits[4].observedRatio).toBeCloseTo(0.9848, 4);
    expect(data.planner.curve.length).toBe(53);
  });

  it('carries the checksum of the payload that a read of the trial shows', async () => {
    const registrations = (await sample.get('/api/v1/trials/registrations?id=NCT04233034')).body.data;
    const trial = (await sample.get(`/api/v1/trials/${registrations.matches[0].canonicalId}?includeRaw=true`)).body
      .data;
    const raw = trial.raw.find(({ registration }: { registration: string }) => registration === 'NCT04233034');
    expect((await run({})).body.data.dataset.checksum).toBe(raw.checksum);
    expect(trial.title ?? JSON.stringify(trial)).toMatch(/SYNTHETIC/);
  });

  it('whose record cannot be read is 503, and nothing of the cause is told', async () => {
    const gateway = await openGateway();
    const { rawPayloads } = gateway.index.store;
    const gone = () => Promise.reject(new Error('gone from /secret/place'));
    Object.assign(gateway.index.store, { rawPayloads: gone });
    const refused = await run({}, gateway);
    const guide = await gateway.get(PATH);
    Object.assign(gateway.index.store, { rawPayloads });
    const { error } = refused.body;
    expect([refused.status, error.code, error.retryable]).toEqual([503, 'DATASET_UNAVAILABLE', true]);
    expect(guide.body.data.dataset.state).toBe('not-available');
    expect(JSON.stringify([refused.body, guide.body])).not.toContain('/secret/place');
    // The gateway does not remember a failed read.
    expect((await run({}, gateway)).status).toBe(200);
    await gateway[Symbol.asyncDispose]();
  });

  it('whose record fails its self-check is 503 and says so', async () => {
    const gateway = await openGateway();
    const { rawPayloads } = gateway.index.store;
    const altered: typeof rawPayloads = async (...asked) => {
      const raw = await rawPayloads.apply(gateway.index.store, asked);
      const forged = (json: Uint8Array) =>
        Buffer.from(Buffer.from(json).toString('utf8').replaceAll('\\"0.44\\"', '\\"0.54\\"'));
      return raw.map((one) => ({ ...one, json: forged(one.json) }));
    };
    Object.assign(gateway.index.store, { rawPayloads: altered });
    const { status, body } = await run({}, gateway);
    expect([status, body.error.code]).toEqual([503, 'DATASET_UNAVAILABLE']);
    expect(body.error.message).toMatch(/self-check failed/);
    await gateway[Symbol.asyncDispose]();
  });
});

describe('a manifest', () => {
  it.each([
    ['the built-in dataset', {}],
    ['a custom one', BETA_CELL_EXAMPLE],
  ])('of %s repeats the run to the byte, and its hashes can be made from outside', async (_title, body) => {
    const { data } = (await run(body)).body;
    const again = (await run(data.replay.input)).body.data;
    expect(JSON.stringify(again)).toBe(JSON.stringify(data));
    expect(data.replay.inputSha256).toBe(sha256(canonical(data.replay.input)));
    expect(data.replay.resultSha256).toBe(sha256(canonical({ fit: data.fit, planner: data.planner })));
  });

  it('does not depend on the order of keys and arms', async () => {
    const { dataset, ...rest } = BETA_CELL_EXAMPLE;
    const other = { ...rest, customDataset: { ...DATASET, arms: [COMPARATOR, CONTROL] }, dataset };
    expect((await run(other)).body.data).toEqual((await run(BETA_CELL_EXAMPLE)).body.data);
  });
});

describe('a body', () => {
  it.each([
    ['a week twice', series([0, 1, 1, 3, 4])],
    ['weeks that fall', series([0, 2, 1, 3, 4])],
    ['a week between quarters', series([0, 1.1, 2, 3, 4])],
    ['a week next to 0', series([0, 1e-300, 2, 3, 4])],
  ])('with %s in an arm is refused', async (_title, points) => {
    expect((await run(withPoints(points))).body.error?.code).toBe('run_rejected');
  });

  it('must bring a dataset where it says custom, and none where it does not', async () => {
    const path = async (body: object) =>
      (await run(body)).body.error.issues.map((issue: { path: string }) => issue.path);
    expect(await path({ dataset: 'custom' })).toEqual(['customDataset']);
    expect(await path({ customDataset: DATASET })).toEqual(['customDataset']);
  });

  it('may come six times a minute, refused ones counted, and the guide is not among them', async () => {
    await using limiter = await openRateLimiter('memory');
    await using gateway = await openGateway(undefined, undefined, { limiter });
    for (const body of [{}, {}, { recoveryRate: 9 }, {}, {}, {}]) await run(body, gateway);
    const { status, headers, body } = await run({}, gateway);
    expect([status, body.error.code, headers.get('ratelimit-limit')]).toEqual([429, 'WRITE_RATE_LIMITED', '6']);
    expect((await gateway.get(PATH)).status).toBe(200);
  });
});
