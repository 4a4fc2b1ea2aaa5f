import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boardForEach } from '../../support/board/board.ts';
import { link, publish, withdraw } from '../../support/board/findings.ts';
import { amountOf } from '../../support/runner/amount.ts';

const board = boardForEach();

interface Node {
  id: string;
  builtOnSteps: number | null;
  buildsOnItSteps: number | null;
}

async function findings(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await publish(board)).id);
  return ids;
}

async function lineage(id: string, query = '') {
  const { status, body } = await board.get(`/api/v1/findings/${id}/lineage${query}`);
  expect(status).toBe(200);
  const steps = Object.fromEntries(
    body.data.nodes.map((node: Node) => [node.id, [node.builtOnSteps, node.buildsOnItSteps]]),
  );
  return { ...body.data, steps };
}

describe('the lineage of a finding', () => {
  it('ends at the depth asked for and says that there is more', async () => {
    const chain = (await findings(12)) as [string, ...string[]];
    for (let at = 0; at + 1 < chain.length; at += 1) await link(board, chain[at]!, chain[at + 1]!);
    expect((await lineage(chain[0])).nodes.length).toBe(4);
    expect((await lineage(chain[0], '?depth=1')).nodes.length).toBe(2);
    const ten = await lineage(chain[0], '?depth=10');
    expect([ten.nodes.length, ten.truncated]).toEqual([11, true]);
    const all = await lineage(chain[1]!, '?depth=10');
    expect([all.nodes.length, all.truncated]).toEqual([12, false]);
  });

  it('shows withdrawn findings, marked', async () => {
    const [a] = (await findings(1)) as [string];
    const basis = await publish(board);
    await link(board, a, basis.id);
    await withdraw(board, basis);
    const { nodes } = await lineage(a);
    expect(nodes[1]).toMatchObject({ id: basis.id, status: 'withdrawn' });
  });

  it('holds at most 200 findings, shared by both ways, and says that there are more', async () => {
    const [root] = (await findings(1)) as [string];
    for (const builtOn of [true, false]) {
      for (const id of await findings(150)) await (builtOn ? link(board, root, id) : link(board, id, root));
    }
    const { nodes, edges, truncated } = await lineage(root);
    expect([nodes.length, edges.length, truncated]).toEqual([200, 199, true]);
    expect(nodes.some(({ buildsOnItSteps }: Node) => buildsOnItSteps === 1)).toBe(true);
  });

  it('holds at most 1000 links, and says that there are more', async () => {
    const [a, b] = (await findings(2)) as [string, string];
    const stored = {
      from_id: a,
      to_id: b,
      relation: 'extends' as const,
      agent_name: 'ada',
      address_hash: '',
      created_at: 1,
    };
    const rows = Array.from({ length: 1001 }, (_, seq) => ({
      ...stored,
      id: `lnk_${seq}`,
      seq,
      note: `reason ${seq}`,
      content_hash: `${seq}`,
    }));
    await board.services.board.write((tx) => tx.insertInto('links').values(rows).execute());
    const { edges, truncated } = await lineage(a);
    expect([edges.length, truncated]).toEqual([1000, true]);
  });

  it('is what following every link by hand gives, over any graph', async () => {
    const ids = await findings(7);
    const pair = fc.tuple(fc.nat(6), fc.nat(6)).filter(([from, to]) => from !== to);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(pair, { maxLength: 14, selector: String }),
        fc.integer({ min: 1, max: 4 }),
        async (pairs, depth) => {
          await board.services.board.write((tx) => tx.deleteFrom('links').execute());
          for (const [from, to] of pairs) await link(board, ids[from]!, ids[to]!);
          const builtOn = distances(pairs, depth);
          const buildsOnIt = distances(
            pairs.map(([from, to]) => [to, from]),
            depth,
          );
          const wanted = ids.flatMap((id, at) => {
            const steps = [builtOn.get(at) ?? null, buildsOnIt.get(at) ?? null];
            return steps.some((step) => step !== null) ? [[id, steps]] : [];
          });
          const { steps, edges } = await lineage(ids[0]!, `?depth=${depth}`);
          expect(steps).toEqual(Object.fromEntries(wanted));
          const shown = new Set(Object.keys(steps));
          const among = pairs.filter(([from, to]) => shown.has(ids[from]!) && shown.has(ids[to]!));
          expect(edges.length).toBe(among.length);
        },
      ),
      { seed: 7, numRuns: amountOf({ quick: 12, deep: 40 }) },
    );
  });
});

/** Shortest distances from 0, up to `depth`. Goes through every pair, round by round, until no distance changes. */
function distances(pairs: readonly (readonly [number, number])[], depth: number): Map<number, number> {
  const found = new Map([[0, 0]]);
  for (let round = 0; round < 7; round += 1) {
    for (const [from, to] of pairs) {
      const next = (found.get(from) ?? Number.POSITIVE_INFINITY) + 1;
      if (next < (found.get(to) ?? Number.POSITIVE_INFINITY)) found.set(to, next);
    }
  }
  return new Map([...found].filter(([, steps]) => steps <= depth));
}
