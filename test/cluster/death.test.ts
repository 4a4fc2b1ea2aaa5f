import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { verifyChain } from '../../board-server/store/verify-chain.ts';
import { Cluster } from '../../tools/cluster/cluster.ts';
import type { Member } from '../../tools/cluster/member.ts';
import { missingPackages } from '../../tools/cluster/programs.ts';
import { Storm } from '../../tools/cluster/storm.ts';
import { amountOf, deep } from '../support/runner/amount.ts';

const missing = missingPackages();
if (missing.length > 0) console.warn(`skipped: the cluster needs ${missing.join(', ')}`);

const WRITERS = 12;
/** Writes that must be acknowledged while a part is down, and again after it is back. */
const BETWEEN = 40;

/** What an answer to a write may be while parts of the cluster die, beside success. */
const ALLOWED = /^(none|503 CLAIM_FAILED)$/;

let cluster: Cluster;
beforeAll(async () => {
  if (missing.length === 0) cluster = await Cluster.start({ settings: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } });
});
afterAll(() => cluster?.stop());

interface Event {
  [field: string]: unknown;
  kind: string;
  action: string;
  id: string;
  ts: string;
  hash: string;
}

/** The events that one board exports, whose chain is whole. */
async function exported(url: string): Promise<Event[]> {
  const response = await fetch(`${url}/api/v1/changes/export`);
  expect(response.status).toBe(200);
  const lines = (await response.text()).trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as Event);
  expect((await verifyChain(Readable.from(events), null)).problems).toEqual([]);
  return events;
}

/** Every acknowledged write is there once, no write twice, and all doors tell the same history. */
async function expectWhole(acknowledged: ReadonlyMap<string, string>): Promise<void> {
  const [events, ...others] = await Promise.all(cluster.gatewayUrls.map(exported));
  for (const other of others) expect(other).toEqual(events);
  const created = events!.filter(({ kind, action }) => kind === 'claim' && action === 'created').map(({ id }) => id);
  expect(new Set(created).size).toBe(created.length);
  expect(new Set(created)).toEqual(new Set(acknowledged.values()));
}

const deaths: readonly [string, () => Promise<() => Promise<unknown>>][] = [
  ['a board', () => died(cluster.boards[0]!)],
  ['a gateway', () => died(cluster.gateways[1]!)],
  ['Redis', () => died(cluster.redis)],
  ['etcd', () => died(cluster.etcd)],
  [
    'the store of snapshots, which hangs',
    () => {
      cluster.s3.freeze();
      return Promise.resolve(async () => cluster.s3.thaw());
    },
  ],
  [
    'the server of the primary',
    async () => {
      await (await cluster.primary()).killServer();
      return () => Promise.resolve();
    },
  ],
  [
    'the node of the primary',
    async () => {
      const node = await cluster.primary();
      await node.kill();
      return () => node.start();
    },
  ],
  [
    'the node of the synchronous standby',
    async () => {
      const node = await cluster.synchronous();
      await node.kill();
      return () => node.start();
    },
  ],
];

async function died(member: Member): Promise<() => Promise<unknown>> {
  await member.kill();
  return () => member.start();
}

it.skipIf(missing.length > 0)('loses and doubles no acknowledged write whatever dies', async () => {
  const storm = new Storm('4d01', cluster.gatewayUrls, WRITERS);
  await storm.more(BETWEEN);
  const pauses: Record<string, number> = {};
  for (const [what, kill] of amountOf({
    quick: deaths.filter(([what]) => what === 'the node of the primary'),
    deep: deaths,
  })) {
    storm.takePause();
    const revive = await kill();
    await storm.more(BETWEEN);
    pauses[what] = Math.round(storm.takePause());
    await revive();
    await cluster.primary();
    await cluster.synchronous();
    await storm.more(BETWEEN);
  }
  const { acknowledged, failures } = await storm.end();
  console.log(`${acknowledged.size} writes; longest pause in ms: ${JSON.stringify(pauses)}`);
  expect([...failures.keys()].filter((failure) => !ALLOWED.test(failure))).toEqual([]);
  await expectWhole(acknowledged);
});

deep.describe.skipIf(missing.length > 0)(
  'the agent of the primary freezes, another node takes over, and it thaws',
  () => {
    it.each([
      ['at once', '4d02', false],
      ['when that node took writes', '4d03', true],
    ])('%s: one head, and no acknowledged write is lost', async (_, series, takesWrites) => {
      onTestFailed(() => console.error(cluster.logOf(cluster.nodes)));
      const before = await cluster.primary();
      const storm = new Storm(series, cluster.gatewayUrls, WRITERS);
      await storm.more(BETWEEN);
      before.agent.freeze();
      await storm.more(BETWEEN);
      // It still runs, and takes itself for the primary.
      expect((await cluster.primary()).name).not.toBe(before.name);
      if (takesWrites) {
        await cluster.synchronous();
        await storm.more(BETWEEN);
      }
      before.agent.thaw();
      await before.agent.ready();
      await cluster.synchronous();
      await storm.more(BETWEEN);
      const { acknowledged } = await storm.end();
      const [first, second] = await Promise.all(cluster.gatewayUrls.map(exported));
      expect(first).toEqual(second);
      const ids = new Set(first!.map(({ id }) => id));
      expect([...acknowledged.values()].filter((id) => !ids.has(id))).toEqual([]);
    });
  },
);
