import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertRequest, queuePage, type RealityFilter } from '../../../board-server/reality/reality-store.ts';
import { openBoard, type TestBoard } from '../../support/board/board.ts';

// The published order, written out: the test must not compare the contract's order with itself.
const LANES = ['in-silico', 'public-data', 'compute', 'anyone', 'wet-lab', 'clinical-data'] as const;
const STATES = ['open', 'fulfilled'] as const;

interface Asked {
  id: string;
  lane: (typeof LANES)[number];
  state: (typeof STATES)[number];
  priority: boolean;
}

const asked = fc
  .array(fc.record({ lane: fc.constantFrom(...LANES), state: fc.constantFrom(...STATES), priority: fc.boolean() }), {
    maxLength: 30,
  })
  .map((all): Asked[] => all.map((one, place) => ({ ...one, id: `rea_${String(place).padStart(3, '0')}` })));

async function put(board: TestBoard, all: readonly Asked[]): Promise<void> {
  await board.services.board.write(async (tx) => {
    await tx.deleteFrom('reality_requests').execute();
    for (const { id, lane, state } of all) {
      const seq = tx.nextTime();
      await insertRequest(tx, {
        id,
        seq,
        lane,
        ask: id,
        resolves: 'r',
        if_result_is_a: 'a',
        if_result_is_b: 'b',
        objective_id: lane === 'compute' ? 'map-one-disease' : null,
        question_id: null,
        finding_id: null,
        estimated_cost: null,
        agent_name: 'ada',
        address_hash: '',
        content_hash: id,
        created_at: seq,
        state,
        fulfilled_at: state === 'open' ? null : seq,
        fulfilled_by: null,
        fulfilment_url: null,
        fulfilment_note: null,
        fulfilment_branch: null,
      });
    }
  });
}

/**
 * The published formula as a simple sort. The requests are given oldest first, and their ids rise with their age order.
 */
function plainly(all: readonly Asked[], { state, lane, objectiveId }: RealityFilter): string[] {
  return all
    .filter((one) => state === undefined || one.state === state)
    .filter((one) => lane === undefined || one.lane === lane)
    .filter((one) => objectiveId === undefined || one.lane === 'compute')
    .toSorted(
      (a, b) =>
        STATES.indexOf(a.state) - STATES.indexOf(b.state) ||
        LANES.indexOf(a.lane) - LANES.indexOf(b.lane) ||
        (b.priority ? 50 : 0) - (a.priority ? 50 : 0) ||
        (a.id < b.id ? -1 : 1),
    )
    .map(({ id }) => id);
}

const filters = fc.record(
  {
    state: fc.constantFrom(...STATES),
    lane: fc.constantFrom(...LANES),
    objectiveId: fc.constant('map-one-disease'),
  },
  { requiredKeys: [] },
);

describe('the queue of any requests with any priorities', () => {
  it('is a plain sort by the published formula, page by page, by cursor and by offset', async () => {
    await using board = await openBoard();
    const db = board.services.board.read;
    await fc.assert(
      fc.asyncProperty(asked, filters, fc.integer({ min: 1, max: 4 }), async (all, filter, limit) => {
        await put(board, all);
        // The council may also have prioritised requests that no longer exist.
        const priorities = new Set([...all.filter(({ priority }) => priority).map(({ id }) => id), 'rea_gone']);
        const byCursor: string[] = [];
        for (let after: number | null = null; ; ) {
          const page: { id: string; place: number }[] = await queuePage(db, filter, priorities, {
            limit,
            offset: 0,
            after,
          });
          byCursor.push(...page.map(({ id }) => id));
          // Stops at too many rows: a cursor that went back would never end.
          if (page.length < limit || byCursor.length > all.length) break;
          after = page.at(-1)!.place;
        }
        const byOffset: string[] = [];
        for (let offset = 0; ; offset += limit) {
          const page = await queuePage(db, filter, priorities, { limit, offset, after: null });
          byOffset.push(...page.map(({ id }) => id));
          if (page.length < limit) break;
        }
        expect([byCursor, byOffset]).toEqual([plainly(all, filter), plainly(all, filter)]);
      }),
      { numRuns: 80, seed: 20_261_122 },
    );
  });

  it('is the same whether or not the council has prioritised anything in it', async () => {
    await using board = await openBoard();
    await put(board, [{ id: 'rea_000', lane: 'anyone', state: 'open', priority: false }]);
    const page = { limit: 2, offset: 0, after: null };
    const [none] = await queuePage(board.services.board.read, {}, new Set(), page);
    const [other] = await queuePage(board.services.board.read, {}, new Set(['rea_other']), page);
    expect(none).toEqual(other);
  });
});
