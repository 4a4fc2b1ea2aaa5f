import { describe, expect, it } from 'vitest';
import { LAB_DISEASE_IDS } from '../../contract/declared/research.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { openBareOrigin } from '../support/bare-origin.ts';
import { CLAIM_OF_EVIDENCE, EVIDENCE } from '../support/board/cure-lab.ts';

const LANDSCAPE = '/api/v1/cure-lab/landscape';
const DISEASES = '/api/v1/cure-lab/diseases';
const NONE = { claims: 0, cohorts: 0 };

describe('the landscape of type 1 diabetes', () => {
  it('has the claims by track, stage, direction and class beside the distinct count of the trials', async () => {
    await using origin = await openBareOrigin();
    const send = async (more: object): Promise<void> => {
      const body = { ...CLAIM_OF_EVIDENCE, ...more };
      expect((await origin.ask(EVIDENCE, { method: 'POST', body })).status).toBe(201);
    };
    await send({});
    await send({ pmid: '2' });
    await send({ pmid: '3', direction: 'contradicts', cohortKey: null });
    await send({ pmid: '4', disease: 'obesity' });
    const { status, body } = await origin.ask(LANDSCAPE);
    expect(status).toBe(200);
    const { trials, evidence, cells, reasons } = body.data;
    expect(evidence).toEqual({
      claims: 3,
      cohorts: 2,
      supports: { claims: 2, cohorts: 1 },
      contradicts: { claims: 1, cohorts: 1 },
      neutral: NONE,
    });
    const cell = { track: 'B', stage: 'new-onset', evidenceClass: 'E1' };
    expect(cells).toEqual([
      { ...cell, direction: 'contradicts', claims: 1, cohorts: 1 },
      { ...cell, direction: 'supports', claims: 2, cohorts: 1 },
    ]);
    const coverage = (await origin.ask('/api/v1/trials/coverage?topic=type-1-diabetes')).body;
    expect(trials.distinct).toBe(coverage.data.distinct);
    expect(trials.distinct).toBeGreaterThan(0);
    expect(trials.byRegistry).toEqual(coverage.data.registries);
    expect(body._meta).toMatchObject({
      snapshot: coverage._meta.snapshot,
      provenance: { corpus: 'sample', worldwide: false },
      degraded: coverage._meta.degraded,
    });
    expect(reasons).toEqual({});
  });

  it('has null with a reason for a board that cannot be read, and the trials beside it', async () => {
    await using origin = await openBareOrigin();
    origin.upstream.url = null;
    const { status, body } = await origin.ask(LANDSCAPE);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      evidence: null,
      cells: null,
      reasons: { evidence: 'the board cannot be read', cells: 'the board cannot be read' },
    });
    expect(body.data.trials.distinct).toBeGreaterThan(0);
  });

  it('has null with a reason for an index that does not answer, and the evidence beside it', async () => {
    await using origin = await openBareOrigin({ index: new Upstream(null) });
    const { status, body } = await origin.ask(LANDSCAPE);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ trials: null, reasons: { trials: 'the index does not answer' }, cells: [] });
    expect(body.data.evidence.claims).toBe(0);
    expect(body._meta.snapshot).toBeUndefined();
  });
});

it('the diseases of the lab are fifteen, alphabetical, each with its own counts', async () => {
  await using origin = await openBareOrigin();
  await origin.ask(EVIDENCE, { method: 'POST', body: { ...CLAIM_OF_EVIDENCE, disease: 'obesity' } });
  const { body } = await origin.ask(DISEASES);
  const { diseases, reasons } = body.data;
  expect(diseases.map(({ id }: { id: string }) => id)).toEqual(LAB_DISEASE_IDS);
  const claims = diseases.filter(({ evidence }: { evidence: { claims: number } }) => evidence.claims > 0);
  expect(claims).toMatchObject([{ id: 'obesity', evidence: { claims: 1, supports: { claims: 1, cohorts: 1 } } }]);
  const { topics } = (await origin.ask('/api/v1/trials/stats')).body.data;
  for (const { id, trials } of diseases) {
    expect(trials).toBe(topics.find((topic: { id: string }) => topic.id === id).trials);
  }
  expect(reasons).toEqual({});
  expect(body._meta.provenance.corpus).toBe('sample');
});
