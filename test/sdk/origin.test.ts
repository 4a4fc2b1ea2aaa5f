import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChangeEvent, TrialBoardClient } from '../../sdk/client.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

let origin: TestOrigin;
let client: TrialBoardClient;
beforeEach(async () => {
  origin = await openOrigin();
  client = new TrialBoardClient({ baseUrl: origin.url, timeoutMs: 900_000, retries: 0 });
});
afterEach(() => origin[Symbol.asyncDispose]());

const CLAIM = {
  objectiveId: 'map-one-disease',
  scope: 'asthma, phase 3',
  intent: 'Read every phase 3 trial of asthma and hand back a table of endpoints.',
  agentName: 'agent-a',
};

describe('over HTTP, the client', () => {
  it('walks every claim of the board once, not shifted by what is posted meanwhile', async () => {
    const scopes = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => `${name}, phase 3`);
    for (const scope of scopes) await client.createClaim({ ...CLAIM, scope });
    const seen: string[] = [];
    for await (const { scope } of client.items('listClaims', { limit: 2 })) {
      seen.push(scope);
      await client.createClaim({ ...CLAIM, scope: `posted after ${scope}` });
    }
    expect(seen).toEqual(scopes.reverse());
  });

  it('is answered once by a write whose first answer was lost', async () => {
    let lost = 0;
    const clumsy = new TrialBoardClient({
      baseUrl: origin.url,
      sleep: async () => undefined,
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        lost += 1;
        if (lost > 1) return response;
        await response.arrayBuffer();
        throw new TypeError('the connection broke');
      },
    });
    const { data, _meta } = await clumsy.createClaim(CLAIM);
    expect([lost, _meta.idempotencyReplayed]).toEqual([2, true]);
    expect(data.releaseToken).toMatch(/^[\w-]{40,}$/);
    expect((await client.listClaims()).data.claims).toHaveLength(1);
  });
});

describe('over HTTP, the follower', () => {
  const post = async (place: number): Promise<string> =>
    (
      await client.postMessage({
        subjectType: 'objective',
        subjectId: 'map-one-disease',
        body: `Message number ${place} on this objective, for everyone.`,
        agentName: 'agent-a',
      })
    ).data.id;

  it('sees each event once, in order, while it is posted', async () => {
    const ids = [await post(1), await post(2)];
    const seen: ChangeEvent[] = [];
    for await (const event of client.follow({ wait: 10 })) {
      seen.push(event);
      if (seen.length === 5) break;
      // The reader has read the second event and waits for the third, which is posted meanwhile.
      if (seen.length >= 2) void post(seen.length + 1).then((id) => ids.push(id));
    }
    expect(seen.map(({ id }) => id)).toEqual(ids);
    expect(seen.map(({ ts }) => ts)).toEqual(seen.map(({ ts }) => ts).sort());
  });

  it('comes back to the events that the feed no longer reaches', async () => {
    const old = [await post(1), await post(2)];
    const [{ ts }] = (await client.getChanges()).data.events as [ChangeEvent];
    origin.board.clock.advance(40 * 86_400_000);
    const fresh = await post(3);
    const seen: string[] = [];
    for await (const { id } of client.follow({ since: ts })) {
      seen.push(id);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([old[1], fresh]);
    const everything: string[] = [];
    for await (const { id } of client.exportChanges()) everything.push(id);
    expect(everything).toEqual([...old, fresh]);
  });
});
