import { describe, expect, it } from 'vitest';
import { LAB_DISEASE_IDS } from '../../contract/declared/research.ts';
import { loadLabModules } from '../../gateway/handlers/lab-diseases.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { openBareOrigin } from '../support/bare-origin.ts';
import { CLAIM_OF_EVIDENCE, EVIDENCE } from '../support/board/cure-lab.ts';

const LANDSCAPE = '/api/v1/cure-lab/landscape';
const DISEASES = '/api/v1/cure-lab/diseases';
const NONE = { claims: 0, cohorts: 0 };

describe('the reviewed words', () => {
  it('describe each of the fifteen diseases once, in the order of the contract', () => {
    expect(loadLabModules().map(({ id }) => id)).toEqual(LAB_DISEASE_IDS);
    expect([...LAB_DISEASE_IDS].sort()).toEqual(LAB_DISEASE_IDS);
    for (const { cureWouldBe, notYetCure, searchTerms } of loadLabModules()) {
      expect([cureWouldBe.length > 60, notYetCure.length > 20, searchTerms.length > 0]).toEqual([true, true, true]);
    }
  });
});

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

describe('the diseases of the lab', () => {
  it('are fifteen, alphabetical, each with its own counts', async () => {
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

  it('are read one by one, with what would be a cure and what not', async () => {
    await using origin = await openBareOrigin();
    const { body } = await origin.ask(`${DISEASES}/cystic-fibrosis`);
    expect(body.data).toMatchObject({
      id: 'cystic-fibrosis',
      reviewedOn: '2026-11-22',
      searchTerms: ['"cystic fibrosis"', 'mucoviscidosis'],
      trials: { topic: 'cystic-fibrosis' },
      evidence: { ...NONE, supports: NONE, contradicts: NONE, neutral: NONE },
      resultsGap: { call: expect.stringContaining('topic=cystic-fibrosis') },
    });
    const refused = await origin.ask(`${DISEASES}/gout`);
    expect([refused.status, refused.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([LANDSCAPE, DISEASES, `${DISEASES}/obesity`])('are a 503 when nothing can be read: %s', async (path) => {
    await using origin = await openBareOrigin({ index: new Upstream(null) });
    origin.upstream.url = null;
    const { status, body } = await origin.ask(path);
    expect([status, body.error.code, body.error.retryable]).toEqual([503, 'DB_ERROR', true]);
  });

  it('are out of reach behind the gateway where only the gateway may ask', async () => {
    await using origin = await openBareOrigin();
    expect((await origin.ask('/internal/cure-lab')).status).toBe(404);
  });
});
