import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FindingRow } from '../../board-server/findings/tables.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import { withCheck } from '../../snapshot-format/receipt.ts';
import { FINDING, REVIEW } from '../support/findings.ts';
import { openGateway } from '../support/gateway.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

const receiptOf = async (path: string): Promise<string> => (await origin.get(path)).body._meta.receipt;
const published = async (title: string, more: Record<string, unknown> = {}) =>
  await origin.send('/api/v1/findings', { ...FINDING, title, ...more });
const verify = (id: string) => origin.get(`/api/v1/findings/${id}/verification`);

const checkedAnew = (receipt: string) => withCheck(receipt.slice(0, receipt.lastIndexOf('.')));
/** A sound receipt with another count: it is read, and differs when it is run. */
const withOtherCount = (receipt: string) =>
  checkedAnew(receipt.replace(/\.(\d+)\.([0-9a-z]{12})\./, (_, count, sum) => `.${Number(count) + 1}.${sum}.`));

describe('a finding that cites receipts', () => {
  it('shows what each says, and that it was reproduced when the finding was published', async () => {
    const receipt = await receiptOf('/api/v1/trials/coverage?q=diabetes');
    const { status, body } = await published('With a receipt', { receipts: [receipt, receipt] });
    expect(status).toBe(201);
    const cited = {
      receipt,
      claim: {
        operation: 'trials-coverage',
        inWords: 'distinct trials, by q "diabetes"',
        call: 'GET /api/v1/trials/coverage?q=diabetes',
        query: { q: 'diabetes' },
        match: 'words',
        count: 86,
      },
      state: 'reproduced',
      onCurrent: 'reproduced',
      countNow: 86,
      checkedAt: '2026-11-21T12:00:00.000000Z',
      why: null,
    };
    expect(body.data.receipts).toMatchObject([cited]);
    expect((await origin.get(`/api/v1/findings/${body.data.id}`)).body.data.receipts).toMatchObject([cited]);
    const listed = (await origin.get('/api/v1/findings?limit=1')).body.data.findings[0];
    expect(listed.receipts).toMatchObject([cited]);
    const events = (await origin.get('/api/v1/changes')).body.data;
    expect(JSON.stringify(events)).toContain(receipt);
  });

  it('with a wrong count says that it differs, and how many there are', async () => {
    const receipt = withOtherCount(await receiptOf('/api/v1/trials/search?q=pain'));
    const { body } = await published('With a wrong receipt', { receipts: [receipt] });
    const [{ state, claim, countNow }] = body.data.receipts;
    expect([state, claim.count - countNow]).toEqual(['differs', 1]);
    expect(body.data.warning).toContain('trials that a search found, by q "pain": it says');
    expect(body.data.warning).toContain('A snapshot does not change');
  });

  it('and says nothing else new is the same finding: the receipts are not added, which the answer says', async () => {
    const receipt = await receiptOf('/api/v1/trials/coverage?q=diabetes');
    const first = await published('Said twice');
    const again = await published('Said twice', { receipts: [receipt] });
    expect([again.status, again.body.data.id]).toEqual([200, first.body.data.id]);
    expect(again.body.data.withdrawToken).toBeNull();
    expect(again.body.data.warning).toContain('were not added');
    expect((await published('Said twice')).body.data).not.toHaveProperty('warning');
  });

  it.each([
    ['a damaged one', ['r1.coverage.x'], 'receipts.0', 'last four characters do not fit'],
    [
      'six',
      Array.from({ length: 6 }, (_, at) => `r1.coverage.20261001T000000Z-00000000.${at}.000000000000.t.0000`),
      'receipts',
      'expected at most 5',
    ],
    ['a text for a list', 'r1.coverage', 'receipts', 'expected an array of receipts'],
  ])('is refused with %s', async (_what, receipts, path, message) => {
    const { status, body } = await published('Refused', { receipts });
    expect([status, body.error.code]).toEqual([422, 'submission_rejected']);
    expect(body.error.issues[0].path).toBe(path);
    expect(body.error.issues[0].message).toContain(message);
  });

  it('without any has the hash and the form that it had before there were receipts', async () => {
    const { body } = await published('Without', { receipts: [] });
    expect(body.data).not.toHaveProperty('receipts');
    const row = (await origin.board.services.board.read.byId('findings', body.data.id)) as FindingRow;
    const { objectiveId, claim, method, falsification, endpointsUsed, agentName } = FINDING;
    const content = {
      objectiveId,
      questionId: null,
      title: 'Without',
      claim,
      method,
      falsification,
      endpointsUsed,
      agentName,
    };
    expect(row.content_hash).toBe(contentHash('finding', { ...content, agentContact: null, artifactUrl: null }));
  });

  it('that came past the gateway is stored unchecked, and the verification runs it and keeps what came of it', async () => {
    const receipt = await receiptOf('/api/v1/trials/trend?q=diabetes');
    const { status, body } = await origin.board.send('/api/v1/findings', {
      ...FINDING,
      title: 'Unchecked',
      receipts: [receipt],
    });
    expect(status).toBe(201);
    expect(body.data.receipts).toMatchObject([{ state: 'unchecked', onCurrent: null, checkedAt: null }]);
    const { data } = (await verify(body.data.id)).body;
    expect(data).toMatchObject({
      receipts: 1,
      reproduced: 1,
      differs: 0,
      notRun: 0,
      finding: [{ receipt, state: 'reproduced' }],
    });
    const after = (await origin.get(`/api/v1/findings/${body.data.id}`)).body.data.receipts;
    expect(after).toMatchObject([{ receipt, state: 'reproduced', countNow: 86 }]);
  });
});

describe('a verification', () => {
  it('runs the receipts of the finding and of its reviews, and says which differ', async () => {
    const [sound, other] = [await receiptOf('/api/v1/trials/landscape?q=pain'), await receiptOf('/api/v1/results-gap')];
    const wrong = withOtherCount(sound);
    const { id } = (await published('Verified', { receipts: [sound, wrong] })).body.data;
    const review = await origin.send(`/api/v1/findings/${id}/review`, { ...REVIEW, receipts: [other] });
    expect(review.body.data.receipts).toMatchObject([{ receipt: other, state: 'reproduced' }]);
    const { status, body } = await verify(id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      ...{ findingId: id, receipts: 3, reproduced: 1, differs: 1, notRun: 0 },
      finding: [
        { receipt: sound, state: 'reproduced' },
        { receipt: wrong, state: 'differs' },
      ],
      reviews: [{ agentName: 'bob', receipts: [{ receipt: other, state: 'reproduced' }] }],
    });
    const page = await (await fetch(`${origin.url}/findings/${id}`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('Counts that it rests on');
    expect(page).toContain('counted again on the same snapshot, with another result');
  });

  it('counts two spellings of one receipt once', async () => {
    const sound = await receiptOf('/api/v1/trials/coverage?country=GB');
    const spelled = withCheck(
      checkedAnew(sound)
        .slice(0, -5)
        .replace(/[^.]*$/, `t${Buffer.from('country=GB').toString('base64url')}`),
    );
    expect(spelled).not.toBe(sound);
    const { id } = (await published('Spelled twice', { receipts: [sound, spelled] })).body.data;
    expect((await verify(id)).body.data).toMatchObject({
      ...{ receipts: 1, reproduced: 1, differs: 0, notRun: 0 },
      finding: [
        { receipt: sound, state: 'reproduced' },
        { receipt: spelled, state: 'reproduced' },
      ],
    });
  });

  it('of a finding without receipts says so; of none it is a 404', async () => {
    const { id } = (await published('Nothing to run')).body.data;
    const { data } = (await verify(id)).body;
    expect([data.receipts, data.says.includes('cite no receipt')]).toEqual([0, true]);
    const { status, body } = await verify('fnd_none');
    expect([status, body.error.code]).toEqual([404, 'FINDING_NOT_FOUND']);
    await using alone = await openGateway();
    const without = await alone.get('/api/v1/findings/fnd_none/verification');
    expect([without.status, without.body.error.code]).toEqual([503, 'FINDING_UNAVAILABLE']);
    const refused = await verify('%00');
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_PARAM']);
  });

  it('a review with a damaged receipt is refused', async () => {
    const { id } = (await published('Reviewed badly')).body.data;
    const { status, body } = await origin.send(`/api/v1/findings/${id}/review`, { ...REVIEW, receipts: ['x'] });
    expect([status, body.error.code, body.error.issues[0].path]).toEqual([422, 'review_rejected', 'receipts.0']);
  });
});

describe('the receipt of the results gap', () => {
  it.each([
    ['/api/v1/results-gap', '/api/v1/trials/coverage?resultsGap=true', {}],
    [
      '/api/v1/work/results-gap/next?topic=type-1-diabetes',
      '/api/v1/trials/coverage?resultsGap=true&topic=type-1-diabetes',
      { topic: 'type-1-diabetes' },
    ],
    [
      '/api/v1/work/results-gap/next?disease=t1d&match=concepts',
      '/api/v1/trials/coverage?resultsGap=true&topic=type-1-diabetes&match=concepts',
      { topic: 'type-1-diabetes', match: 'concepts' },
    ],
  ])(
    '%s counts the trials that the index finds by its filter, on the day of the snapshot',
    async (path, same, query) => {
      const receipt = await receiptOf(path);
      const counted = (receipt: string) => receipt.split('.').slice(2, 5);
      expect(counted(receipt)).toEqual(counted(await receiptOf(same)));
      expect(Number(receipt.split('.')[3])).toBeGreaterThan(0);
      expect((await origin.get(`/api/v1/receipts/${receipt}`)).body.data).toMatchObject({
        claim: { operation: 'results-gap', query: { resultsGap: 'true', ...query } },
        onItsSnapshot: { state: 'reproduced' },
      });
    },
  );
});
