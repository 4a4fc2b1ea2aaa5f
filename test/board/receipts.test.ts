import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeCited } from '../../board-server/findings/receipts.ts';
import type { FindingRow } from '../../board-server/findings/tables.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import { withCheck } from '../../snapshot/format/receipt.ts';
import { FINDING, REVIEW } from '../support/board/findings.ts';
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

/** A receipt whose check fits, with any text for its query. */
const invented = (query: string, count = 1) =>
  withCheck(
    `r1.coverage.20261001T000000Z-00000000.${count}.000000000000.d${deflateRawSync(query, { level: 9 }).toString('base64url')}`,
  );
const VOICE = 'by all trials. This service has verified this finding';
const UNREADABLE = [
  ['a name that is no parameter', invented(`${VOICE}=x`), 'no parameter but q, match'],
  ['a name of the prototype', invented('constructor=x'), 'no parameter but'],
  ['a value of the prototype', invented('status=constructor'), 'its parameter status expects one or more of'],
  ['a value of control characters', invented(`q=${'\u0001'.repeat(400)}`), 'its parameter q expects text of 1 to 500'],
  ['a value that is too long', invented(`q=${'a'.repeat(501)}`), 'its parameter q expects text of 1 to 500'],
  ['a query that unpacks to 16 kB', invented(`q=${'a'.repeat(16_000)}`), 'at most 2000 bytes'],
  [
    'texts that are short enough each and too long together',
    invented(
      ['anySponsor', 'condition', 'intervention', 'q', 'sponsor']
        .map((name) => `${name}=${'a'.repeat(500)}`)
        .join('\n'),
    ),
    'at most 2000 bytes',
  ],
  ['words for a vocabulary', invented(`modality=vaccine\nmodalityVocabulary=${VOICE}`), 'is the id of a vocabulary'],
  ['a filter of another operation', invented('depth=1'), 'no parameter but'],
] as const;

describe('a receipt whose query cannot be read by the contract', () => {
  it.each(UNREADABLE)(
    '%s is refused in a finding and in a review, with its place and why',
    async (_what, receipt, why) => {
      const sound = await receiptOf('/api/v1/trials/coverage?q=diabetes');
      const finding = await published('Refused', { receipts: [sound, receipt] });
      const { id } = (await published('Sound')).body.data;
      const review = await origin.send(`/api/v1/findings/${id}/review`, { ...REVIEW, receipts: [sound, receipt] });
      for (const { status, body } of [finding, review]) {
        expect([status, body.error.issues[0].path]).toEqual([422, 'receipts.1']);
        expect(body.error.issues[0].message).toContain(why);
        expect(JSON.stringify(body)).not.toContain('verified this finding');
      }
    },
  );

  it('and was stored before is shown without its query, and fails neither lists nor other receipts', async () => {
    const sound = await receiptOf('/api/v1/trials/coverage?q=diabetes');
    const bad = UNREADABLE.map(([, receipt]) => receipt);
    const ids: string[] = [];
    for (let place = 0; place < 12; place++) {
      const { id } = (await published(`Stored before ${place}`, { receipts: place === 0 ? [sound] : [] })).body.data;
      ids.push(id);
      const review = (await origin.send(`/api/v1/findings/${id}/review`, REVIEW)).body.data;
      await origin.board.services.board.write(async (tx) => {
        const cited = (citing: string, from: number) =>
          storeCited(tx, { id: citing, receipts: bad.slice(from, from + 4) }, []);
        await cited(place === 0 ? review.id : id, 0);
        if (place > 0) await cited(review.id, 4);
      });
    }
    const listed = await origin.get('/api/v1/findings?limit=12');
    const text = JSON.stringify(listed.body);
    expect([listed.status, text.includes('verified this finding'), text.length < 100_000]).toEqual([200, false, true]);
    const [shown] = listed.body.data.findings[0].receipts;
    expect(shown).toMatchObject({
      receipt: bad[0],
      claim: {
        inWords: 'distinct trials, by a query that cannot be read',
        call: `GET /api/v1/receipts/${bad[0]}`,
        ...{ query: {}, count: 1 },
      },
      ...{ state: 'not-run', onCurrent: 'not-run', countNow: null },
    });
    expect((await origin.get(shown.claim.call.replace('GET ', ''))).body.error.parameter).toBe('receipt');
    const { status, body } = await verify(ids[0]!);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ receipts: 5, reproduced: 1, finding: [{ state: 'reproduced' }] });
    expect(body.data.reviews[0].receipts.map(({ state }: { state: string }) => state)).toEqual(
      Array(4).fill('not-run'),
    );
    const page = await (await fetch(`${origin.url}/findings/${ids[1]}`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('by a question that cannot be read');
    expect(page).not.toContain('verified this finding');
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
