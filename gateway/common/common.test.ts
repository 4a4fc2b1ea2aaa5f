import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommonClient } from './common-client.ts';
import { CommonDesk, type Member } from './common-desk.ts';
import { MergedMetrics } from './merged-metrics.ts';
import type { CallsMessage, DeskMessage } from './messages.ts';
import { VersionAgreement } from './version-agreement.ts';

const NOW = new Date('2026-11-26T12:00:00.000Z');
const HOLDER = { subject: '192.0.2.1', group: '192.0.2.0/24' };

interface Seated {
  client: CommonClient;
  leave(): void;
}

/** Gateways at one desk, whose messages pass through JSON as between processes. `isDead`: no message arrives before `catchUp`. */
function seats(count: number, options: { isDead?: () => boolean; waitMs?: number } = {}) {
  const { isDead = () => false, waitMs = 60_000 } = options;
  const desk = new CommonDesk(
    count,
    () => NOW,
    () => 0,
  );
  const sent: CallsMessage[] = [];
  const unread: (() => void)[] = [];
  const catchUp = (): void => {
    for (const read of unread.splice(0)) read();
  };
  const seated = Array.from({ length: count }, (): Seated => {
    const member: Member = { send: (message) => client.received(asSent<DeskMessage>(message)) };
    const send = (message: CallsMessage, onTaken: () => void): void => {
      sent.push(message);
      unread.push(() => {
        onTaken();
        desk.received(member, asSent<CallsMessage>(message));
      });
      if (!isDead()) catchUp();
    };
    const client = new CommonClient({ send }, () => NOW, { waitMs, clock: () => 0 });
    desk.joined(member);
    desk.listens(member);
    return { client, leave: () => desk.left(member) };
  });
  return { desk, sent, catchUp, clients: seated.map(({ client }) => client), seated };
}

function asSent<Message>(message: Message): Message {
  return JSON.parse(JSON.stringify(message)) as Message;
}

/** Until the calls of this turn have been sent and answered. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The supervisor was waited for in vain. */
const waited = () => vi.advanceTimersByTimeAsync(5);

describe('gateways at one desk', () => {
  // A wait that passed on a busy machine before the answer was read would be another story than the one told here.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('count in one window, whichever of them counts, and send the calls of a turn together', async () => {
    const { clients, sent } = seats(2);
    const [first, second] = clients as [CommonClient, CommonClient];
    const counts = await Promise.all([
      first.penalty('rates', 'read:a'),
      first.penalty('rates', 'read:a', 4),
      second.penalty('rates', 'read:a'),
      second.penalty('wrong-keys', 'read:a'),
    ]);
    expect(counts.map(({ consumedPoints }) => consumedPoints)).toEqual([1, 5, 6, 1]);
    expect(sent.map(({ calls }) => calls.length)).toEqual([2, 2]);
    expect(await first.look('rates', 'read:a')).toEqual({ consumedPoints: 6, msBeforeNext: 60_000 });
    expect(await first.look('rates', 'read:b')).toBe(null);
  });

  it('know the requests of the day, the traffic and the failures of all', async () => {
    const [first, second] = seats(2).clients as [CommonClient, CommonClient];
    first.noteRequest('address a');
    second.noteRequest('address a');
    first.noteTraffic('rest', 200);
    second.noteTraffic('rest', 503);
    second.noteFailure('claims-list', 'DB_ERROR', 'board-server');
    expect(await second.requestsOf('address a')).toEqual({
      count: 2,
      day: '2026-11-26',
      countedSince: NOW.toISOString(),
    });
    expect(await second.traffic()).toMatchObject({ since: NOW.toISOString(), requests: 2 });
    const failure = { at: NOW.toISOString(), operation: 'claims-list', code: 'DB_ERROR' };
    expect(await first.health([{ component: 'board-server', state: 'down', detail: 'does not answer' }])).toEqual({
      startedAt: NOW.toISOString(),
      failures: 1,
      lastFailure: failure,
      parts: [{ since: NOW.toISOString(), lastFailure: failure }],
      processes: { running: 2, of: 2 },
    });
  });

  it('share places, and get those of one that died back', async () => {
    const { clients, seated } = seats(2);
    const [first, second] = clients as [CommonClient, CommonClient];
    const enter = (client: CommonClient, places = 3) => client.enter('following', HOLDER, { places, perSubject: 2 });
    const leave = await enter(first);
    await enter(first);
    expect(await enter(second)).toBe('own');
    expect(await second.enter('following', { subject: 'b', group: 'b' }, { places: 2 })).toBe('full');
    if (typeof leave === 'function') leave();
    expect(typeof (await enter(second))).toBe('function');
    expect(await enter(second)).toBe('own');
    seated[0]!.leave();
    expect(typeof (await enter(second))).toBe('function');
  });

  it('have one of them do what one does for all, and another when that one is gone', async () => {
    const { clients, seated } = seats(2);
    const both = () => Promise.all(clients.map((client) => client.isFirst()));
    expect(await both()).toEqual([true, false]);
    seated[0]!.leave();
    expect(await clients[1]!.isFirst()).toBe(true);
  });

  it('keep to the rate of a source together', async () => {
    const [first, second] = seats(2).clients as [CommonClient, CommonClient];
    const waits = [];
    for (const client of [first, second, first, second, first]) waits.push(await client.slot('pubmed', 2));
    expect(waits).toEqual([0, 0, 1000, 1000, 2000]);
  });

  it('forget a key that another of them changed', async () => {
    const { clients } = seats(3);
    const forgotten: string[] = [];
    for (const [place, client] of clients.entries()) client.onForget = (hash) => forgotten.push(`${place} ${hash}`);
    clients[1]!.forgetKey('abc');
    await clients[1]!.isFirst();
    expect(forgotten).toEqual(['0 abc', '2 abc']);
  });

  it('count for themselves while the supervisor does not answer, without waiting for it again', async () => {
    let isDead = true;
    const { clients, desk } = seats(2, { isDead: () => isDead, waitMs: 5 });
    const [first, second] = clients as [CommonClient, CommonClient];
    const counted = [first.penalty('rates', 'a'), second.penalty('rates', 'a')];
    await waited();
    expect((await Promise.all(counted)).map(({ consumedPoints }) => consumedPoints)).toEqual([1, 1]);
    expect((await first.penalty('rates', 'a')).consumedPoints).toBe(2);
    expect(typeof (await first.enter('following', HOLDER, { places: 0 }))).toBe('function');
    expect(await first.metrics()).toBe(null);
    isDead = false;
    // The first call after its return is still answered alone; its answer shows that the supervisor is back.
    await first.penalty('rates', 'a');
    await settled();
    // With what was sent while it did not read.
    expect(await first.look('rates', 'a')).toMatchObject({ consumedPoints: 4 });
    desk[Symbol.dispose]();
  });

  it('keep a bounded number of calls for a supervisor that reads none, and lose no place by it', async () => {
    let isDead = false;
    const { clients, sent, desk, catchUp } = seats(1, { isDead: () => isDead, waitMs: 5 });
    const [client] = clients as [CommonClient];
    const leave = await client.enter('following', HOLDER, { places: 1 });
    isDead = true;
    const alone = client.penalty('rates', 'a');
    await waited();
    await alone;
    for (let round = 0; round < 50; round += 1) {
      for (let count = 0; count < 1000; count += 1) client.noteTraffic('rest', 200);
      await settled();
    }
    const kept = () => sent.reduce((sum, { calls }) => sum + calls.length, 0);
    expect(kept()).toBe(20_001);
    expect(await client.penalty('rates', 'a')).toMatchObject({ consumedPoints: 2 });
    if (typeof leave === 'function') leave();
    await settled();
    expect(kept()).toBe(20_002);
    isDead = false;
    catchUp();
    expect(typeof (await client.enter('following', HOLDER, { places: 1 }))).toBe('function');
    expect(await client.enter('following', HOLDER, { places: 1 })).toBe('full');
    expect(await client.traffic()).toMatchObject({ requests: 19_999 });
    desk[Symbol.dispose]();
  });
});

describe('the metrics of several processes', () => {
  const counter = (value: number) => ({
    ...{ name: 'requests_total', help: 'Requests.', type: 'counter', aggregator: 'sum' },
    values: [{ value, labels: { route: 'a' } }],
  });
  const gauge = (value: number, aggregator: string) => ({
    ...{ name: `gauge_${aggregator}`, help: 'A gauge.', type: 'gauge', aggregator },
    values: [{ value, labels: {} }],
  });

  it('are sums, or what a metric names; what an ended process counted stays in them', async () => {
    const metrics = new MergedMetrics<string>();
    metrics.told('a', [counter(3), gauge(1, 'sum'), gauge(1, 'max')]);
    metrics.told('b', [counter(4), gauge(2, 'sum'), gauge(1, 'max')]);
    const values = async () => (await metrics.text()).split('\n').filter((line) => /^[a-z]/.test(line));
    expect(await values()).toEqual(['requests_total{route="a"} 7', 'gauge_sum 3', 'gauge_max 1']);
    metrics.left('a');
    expect(await values()).toEqual(['requests_total{route="a"} 7', 'gauge_sum 2', 'gauge_max 1']);
    metrics.told('c', [counter(10)]);
    metrics.left('c');
    metrics.left('b');
    expect(await values()).toEqual(['requests_total{route="a"} 17']);
  });
});

describe('the agreement on a version', () => {
  /** The members whose turn to serve has come, in order. */
  function agreement(limitMs?: number) {
    const versions = new VersionAgreement<string>(limitMs);
    const served: string[] = [];
    const stage = (member: string, version: string) =>
      versions.staged(member, version).then(() => served.push(`${member} ${version}`));
    return { versions, served, stage };
  }
  it('is at once where nobody serves another version', async () => {
    const { stage, served } = agreement();
    await stage('a', '1');
    await stage('b', '1');
    expect(served).toEqual(['a 1', 'b 1']);
  });

  it('waits for all that serve another version, and for none that begins', async () => {
    const { stage, served } = agreement();
    await Promise.all([stage('a', '1'), stage('b', '1')]);
    void stage('a', '2');
    void stage('new', '2');
    await settled();
    expect(served).toEqual(['a 1', 'b 1']);
    await stage('b', '2');
    expect(served.slice(2).sort()).toEqual(['a 2', 'b 2', 'new 2']);
  });

  it('does not wait for one that ends, nor for longer than its limit', async () => {
    const { versions, stage, served } = agreement(20);
    await Promise.all([stage('a', '1'), stage('b', '1'), stage('c', '1')]);
    const second = stage('a', '2');
    versions.left('b');
    await settled();
    expect(served).toHaveLength(3);
    versions.left('c');
    await second;
    void stage('d', '2');
    await stage('a', '3');
    expect(served.slice(3)).toEqual(['a 2', 'd 2', 'a 3']);
  });
});
