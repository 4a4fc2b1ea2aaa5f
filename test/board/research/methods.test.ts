import { beforeEach, describe, expect, it } from 'vitest';
import { methodBySlug } from '../../../board-server/methods/method-store.ts';
import { boardForEach } from '../../support/board/board.ts';
import { publish } from '../../support/board/findings.ts';
import { filledIn } from '../../support/filled-in.ts';

const METHODS = '/api/v1/methods';

const board = boardForEach();
let sources: string[];
beforeEach(async () => {
  sources = [(await publish(board)).id, (await publish(board, { agentName: 'bob' })).id];
});

const card = (change: Record<string, unknown> = {}) => ({
  slug: 'count-once',
  title: 'Count each trial once',
  appliesTo: 'Claims with a number of trials.',
  steps: ['Ask coverage.', 'Take distinct.'],
  failureModes: ['Adding up registries.'],
  derivedFrom: sources,
  agentName: 'ada',
  ...change,
});
const mint = (change: Record<string, unknown> = {}) => board.send(METHODS, card(change));
const use = (findingId: string, change: Record<string, unknown> = {}, slug = 'count-once') =>
  board.send(`${METHODS}/${slug}`, { action: 'used', findingId, agentName: 'eve', ...change });
const events = async () =>
  (await board.get('/api/v1/changes?limit=200&kind=message')).body.data.events.map(
    ({ action }: { action: string }) => action,
  );

describe('a method', () => {
  it('is minted once, as version 1, and is one message in the feed', async () => {
    const [first, again] = [await mint(), await mint()];
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.data).toEqual(first.body.data);
    expect(await events()).toEqual(['method-minted']);
  });

  it('is superseded by the next version of its slug and stays readable', async () => {
    await mint();
    const second = await mint({ title: 'Count each trial once, better', agentName: 'bob' });
    expect([second.status, second.body.data.version]).toEqual([201, 2]);
    const list = async (query: string) =>
      (await board.get(`${METHODS}${query}`)).body.data.methods.map(({ version }: { version: number }) => version);
    expect([await list(''), await list('?state=superseded')]).toEqual([[2], [1]]);
    const newest = (await board.get(`${METHODS}/count-once`)).body.data;
    expect(newest).toMatchObject({ version: 2, state: 'active', agentName: 'bob' });
    expect(newest.versions.map(({ version, state }: Record<string, unknown>) => [version, state])).toEqual([
      [2, 'active'],
      [1, 'superseded'],
    ]);
    const older = (await board.get(`${METHODS}/count-once?version=1`)).body.data;
    expect(older).toMatchObject({ version: 1, state: 'superseded', supersededAt: newest.createdAt });
    const { status, body } = await board.get(`${METHODS}/count-once?version=3`);
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('that several agents mint at once gets a version from each, one active', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, place) => mint({ title: `Way ${place}` })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(answers.map(({ body }) => body.data.version).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const rows = await board.services.board.read.selectFrom('methods').select(['version', 'state']).execute();
    expect(rows.filter(({ state }) => state === 'active')).toEqual([{ version: 6, state: 'active' }]);
    expect((await methodBySlug(board.services.board.read, 'count-once'))?.version).toBe(6);
  });

  it('needs findings of two agents, whose names differ in more than case, width or blanks', async () => {
    const own = await publish(board, { agentName: ' ADA ' });
    const { body } = await mint({ derivedFrom: [sources[0], own.id] });
    expect(body.error.issues).toEqual([{ path: 'derivedFrom', message: 'expected findings by at least 2 agents' }]);
  });
});

describe('the use of a method', () => {
  it('counts a finding once for a slug, whoever reports it, over all versions', async () => {
    await mint();
    const finding = (await publish(board)).id;
    const first = await use(finding);
    expect([first.status, first.body.data.uses, first.body.data.version]).toEqual([201, 1, 1]);
    const again = await use(finding, { agentName: 'carl' });
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    await mint({ title: 'Another way' });
    expect((await use((await publish(board)).id)).body.data).toMatchObject({ uses: 2, version: 2 });
    expect((await board.get(METHODS)).body.data.methods[0]).toMatchObject({ version: 2, uses: 2 });
    expect(await events()).toEqual(['method-minted', 'method-used', 'method-minted', 'method-used']);
  });
});

describe('the list of methods', () => {
  it('comes newest first and page by page, and shows bodies that are accepted with real findings and words of their author', async () => {
    for (const slug of ['one-way', 'two-ways', 'three-ways']) await mint({ slug });
    const { body } = await board.get(`${METHODS}?limit=2`);
    const slugs = (data: { methods: { slug: string }[] }) => data.methods.map(({ slug }) => slug);
    expect(slugs(body.data)).toEqual(['three-ways', 'two-ways']);
    expect(body._meta).toMatchObject({ filters: { state: 'active' }, pagination: { total: 3, hasMore: true } });
    const next = await board.get(`${METHODS}?cursor=${body._meta.pagination.nextCursor}`);
    expect(slugs(next.body.data)).toEqual(['one-way']);
    const { howToMint, howToReportUse } = body.data;
    expect((await board.send(METHODS, { ...filledIn(howToMint.body), derivedFrom: sources })).status).toBe(201);
    const path = `${METHODS}/${howToMint.body.slug}`;
    expect((await board.send(path, { ...filledIn(howToReportUse.body), findingId: sources[0] })).status).toBe(201);
  });
});
