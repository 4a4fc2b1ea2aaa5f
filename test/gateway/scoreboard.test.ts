import { describe, expect, it } from 'vitest';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { openBareOrigin } from '../support/bare-origin.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { openGateway } from '../support/gateway.ts';
import { fakeServer } from '../support/raw-socket.ts';

const SCOREBOARD = '/api/v1/scoreboard';
const INDEX = {
  corpus: 'sample',
  worldwide: false,
  trialRegistrations: null,
  canonicalTrials: 766,
  crossRegistryTrials: 50,
  byRegistry: [
    { registry: 'clinicaltrials_gov', state: 'answered', registrations: 598 },
    { registry: 'isrctn', state: 'answered', registrations: 218 },
  ],
  reframedArticles: null,
};

describe('the scoreboard', () => {
  it('joins the index, the standing work, the traffic and what agents wrote', async () => {
    await using origin = await openBareOrigin();
    expect((await origin.ask('/api/v1/claims', { method: 'POST', body: CLAIM })).status).toBe(201);
    await origin.ask('/nowhere');
    const { data: active } = (await origin.ask('/api/v1/trials/coverage?status=active')).body;
    const { status, body } = await origin.ask(SCOREBOARD);
    expect(status).toBe(200);
    expect(body.data.index).toMatchObject({ ...INDEX, activeTrials: active.distinct });
    expect(body.data.index.cureResearchItems).toBeGreaterThan(0);
    expect(Object.keys(body.data.index.reasons)).toEqual(['trialRegistrations', 'reframedArticles']);
    expect(body.data.standing).toEqual({
      objectives: 5,
      moduleObjectives: 1,
      questions: 7,
      nodes: 14,
      edges: 14,
      councilObjectives: 0,
      councilQuestions: 0,
    });

    const { surfaces, ...contributions } = body.data.contributions;
    expect(contributions).toEqual({
      counts: {
        liveClaims: 1,
        findings: { received: 0, corroborated: 0, contested: 0, withdrawn: 0 },
        messages: 0,
        reviews: 0,
        links: 0,
      },
      reasons: {},
    });
    expect(surfaces[0]).toEqual({
      surface: 'claims',
      count: 1,
      counted: 'claims ever made, whatever became of them',
      read: '/api/v1/claims',
    });
    expect(surfaces).toHaveLength(20);
    expect(surfaces.filter(({ count }: { count: number }) => count > 0)).toHaveLength(1);
    const { traffic } = body.data;
    expect(traffic).toMatchObject({ since: '2026-11-21T12:00:00.000Z', hours: 24, requests: 3 });
    const byDoor = Object.fromEntries(
      traffic.doors.map(({ door, requests }: { door: string; requests: number }) => [door, requests]),
    );
    expect(byDoor).toEqual({ rest: 2, mcp: 0, a2a: 0, texts: 0, probes: 0, unknown: 1 });
  });

  it('has null with a reason for an index that does not answer, and the board beside it', async () => {
    await using origin = await openBareOrigin({ index: new Upstream(null) });
    const { status, body } = await origin.ask(SCOREBOARD);
    expect(status).toBe(200);
    expect(body.data.index).toMatchObject({ canonicalTrials: null, activeTrials: null, byRegistry: null });
    expect(body.data.index.reasons.canonicalTrials).toBe('the index does not answer');
    expect(body.data.contributions.counts.liveClaims).toBe(0);
  });

  it('asks an index server elsewhere, and shows no part of one snapshot beside the whole of another', async () => {
    await using gateway = await openGateway();
    await using server = await fakeServer();
    let swapped = false;
    server.answer = async (request, response) => {
      const answer = await gateway.get(request.url!);
      if (swapped && request.url!.includes('status=')) answer.body._meta.snapshot = 'another';
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    };
    using index = new Upstream(server.url);
    await using origin = await openBareOrigin({ index });
    const { index: whole } = (await origin.ask(SCOREBOARD)).body.data;
    expect(whole).toMatchObject(INDEX);
    expect(whole.activeTrials).toBeGreaterThan(0);
    swapped = true;
    const { index: torn } = (await origin.ask(SCOREBOARD)).body.data;
    expect(torn).toMatchObject({ canonicalTrials: 766, activeTrials: null });
    expect(torn.reasons.activeTrials).toMatch(/snapshot changed/);
  });
});
