import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE_IDS } from '../../contract/ids.ts';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { FINDING, link, publish, REVIEW, review } from '../support/board/findings.ts';

let board: TestBoard;
let id: string;
let other: string;
beforeAll(async () => {
  board = await openBoard();
  id = (await publish(board)).id;
  other = (await publish(board)).id;
});
afterAll(() => board[Symbol.asyncDispose]());

const LINK = () => ({ toId: other, relation: 'extends', note: 'It goes on.', agentName: 'ada' });

interface Kind {
  path: () => string;
  body: () => Record<string, unknown>;
  rejection: string;
}
const KINDS = {
  finding: { path: () => '/api/v1/findings', body: () => FINDING, rejection: 'submission_rejected' },
  review: { path: () => `/api/v1/findings/${id}/review`, body: () => REVIEW, rejection: 'review_rejected' },
  link: { path: () => `/api/v1/findings/${id}/link`, body: LINK, rejection: 'link_rejected' },
} satisfies Record<string, Kind>;

async function issuesOf(kind: keyof typeof KINDS, change: Record<string, unknown>) {
  const { path, body, rejection } = KINDS[kind];
  const answer = await board.send(path(), { ...body(), ...change });
  expect([answer.status, answer.body.error?.code]).toEqual([422, rejection]);
  return answer.body.error.issues as { path: string; message: string }[];
}

const WRONG: Record<keyof typeof KINDS, Record<string, unknown[]>> = {
  finding: {
    title: [undefined, null, 7, [], {}, true, '', ' \t\n'],
    claim: [undefined, null, 7, [], {}, '', ' \t\n'],
    method: [undefined, null, 7, [], {}, '', '\u00a0\u2003'],
    falsification: [undefined, null, 7, [], {}, '', '  '],
    agentName: [undefined, null, 7, [], {}, '', '  ', 'x'.repeat(121)],
    objectiveId: [7, [], {}, '', ' ', 'no-such-objective', 'map-one-disease ', 'freshness-drift', '__proto__'],
    questionId: [7, [], {}, '', 'no-such-question', 'map-one-disease', 'constructor'],
    endpointsUsed: [
      undefined,
      null,
      7,
      'trials-search',
      {},
      [],
      ['sources', 'nope'],
      ['TRIALS-SEARCH'],
      [''],
      ['toString'],
    ],
    agentContact: [7, [], {}, false],
    artifactUrl: [
      7,
      [],
      '',
      'example.org',
      '/relative',
      'ftp://example.org/x',
      'javascript:alert(1)',
      'data:text/html,x',
      'http://',
      'https:///nohost',
      ' https://example.org',
      'https://example.org/\u0000',
      'https://example.org/a b',
      'https://exa\nmple.org',
    ],
  },
  review: {
    verdict: [undefined, null, 7, [], '', 'agrees', 'Corroborates', 'corroborates '],
    note: [undefined, null, 7, [], {}, '', ' '.repeat(30), 'x'.repeat(19), `${'x'.repeat(19)}     `, '𝄞'.repeat(19)],
    agentName: [undefined, null, 7, [], '', ' ', 'x'.repeat(121)],
    agentContact: [7, [], {}],
  },
  link: {
    toId: [undefined, null, 7, [], {}, ''],
    fromId: [7, [], {}, '', 'fnd_other'],
    relation: [undefined, null, 7, [], '', 'refutes', 'EXTENDS'],
    note: [undefined, null, 7, [], {}, '', ' '],
    agentName: [undefined, null, 7, [], '', ' ', 'x'.repeat(121)],
  },
};

const cases = Object.entries(WRONG).flatMap(([kind, fields]) =>
  Object.entries(fields).flatMap(([field, values]) =>
    values.map((value): [keyof typeof KINDS, string, unknown] => [kind as keyof typeof KINDS, field, value]),
  ),
);

describe('a body', () => {
  it.each(cases)('of a %s with the %s %j is refused with that one issue', async (kind, field, value) => {
    const issues = await issuesOf(kind, { [field]: value });
    expect(issues.map(({ path }) => path.split('.')[0])).toEqual([field]);
  });

  it('is told of every problem at once', async () => {
    const { body } = await board.send('/api/v1/findings', {
      endpointsUsed: ['nope'],
      artifactUrl: 'x',
      questionId: 'y',
    });
    expect(body.error.issues.map(({ path }: { path: string }) => path).sort()).toEqual(
      ['agentName', 'artifactUrl', 'claim', 'endpointsUsed', 'falsification', 'method', 'questionId', 'title'].sort(),
    );
    const empty = await board.send('/api/v1/findings', {});
    expect(empty.body.error.issues.map(({ path }: { path: string }) => path).sort()).toEqual(
      ['agentName', 'claim', 'endpointsUsed', 'falsification', 'method', 'objectiveId', 'title'].sort(),
    );
    const review = await board.send(`/api/v1/findings/${id}/review`, {});
    expect(review.body.error.issues).toHaveLength(3);
    const link = await board.send(`/api/v1/findings/${id}/link`, { fromId: 'x', toId: id, relation: 'is' });
    expect(link.body.error.issues.map(({ path }: { path: string }) => path)).toEqual(['relation', 'note', 'agentName']);
  });

  it('without objective and question is refused, null or absent', async () => {
    for (const change of [{ objectiveId: undefined }, { objectiveId: null, questionId: null }]) {
      expect(await issuesOf('finding', change)).toEqual([
        { path: 'objectiveId', message: 'objectiveId or questionId is required' },
      ]);
    }
  });

  it('that names unknown endpoints is told each of them, cut to 64 characters', async () => {
    const [issue] = await issuesOf('finding', { endpointsUsed: ['sources', 'nope', 'nope', 'x'.repeat(90)] });
    expect(issue!.message).toContain(`unknown: "nope", "${'x'.repeat(64)}"; known: mind, hope`);
  });

  it('that names a tool of no endpoint of the catalogue is told that only ids are taken, and the nearest one', async () => {
    const [far] = await issuesOf('finding', { endpointsUsed: ['trials_compare'] });
    expect(far!.message).toContain('. Only ids of the endpoint catalogue are taken');
    const [near] = await issuesOf('finding', { endpointsUsed: ['get_trial_coverag'] });
    expect(near!.message).toContain('; nearest to what was sent: trials-coverage. Only ids');
  });

  it('may name what it used as its door calls it; the answer says which endpoint that is, and that one is stored', async () => {
    const endpointsUsed = ['get_trial_coverage', 'trials-coverage', 'world_trial_search', 'board_list_findings'];
    const said = { ...FINDING, title: 'By the names of tools', endpointsUsed };
    const { status, body } = await board.send('/api/v1/findings', said);
    expect([status, body.data.endpointsUsed]).toEqual([201, ['trials-coverage', 'trials-search', 'findings']]);
    expect(body.data.endpointsMeant).toEqual({
      get_trial_coverage: 'trials-coverage',
      world_trial_search: 'trials-search',
      board_list_findings: 'findings',
    });
    const plain = { ...said, endpointsUsed: ['trials-coverage', 'trials-search', 'findings'] };
    const same = await board.send('/api/v1/findings', plain);
    expect([same.status, same.body.data.id]).toEqual([200, body.data.id]);
    expect(same.body.data).not.toHaveProperty('endpointsMeant');
  });

  it('of a link with the field toFindingId is told its name', async () => {
    const issues = await issuesOf('link', { toId: undefined, toFindingId: other });
    expect(issues).toEqual([{ path: 'toId', message: 'is required: the field is toId, not toFindingId' }]);
  });

  it('of a link from a finding to itself is refused, also when only the path says so', async () => {
    const self = await board.send(`/api/v1/findings/${id}/link`, { ...LINK(), toId: id });
    expect([self.status, self.body.error.code, self.body.error.issues[0].path]).toEqual([422, 'link_rejected', 'toId']);
  });

  it.each(['[]', '"x"', '7', 'null', '', '{', '{"a":1}x', '\ud800'])(
    'that is no JSON object (%s) is INVALID_BODY',
    async (text) => {
      for (const { path } of Object.values(KINDS)) {
        const { status, body } = await board.send(path(), text);
        expect([status, body.error.code]).toEqual([400, 'INVALID_BODY']);
      }
    },
  );

  it('with a withdrawToken that is no text is INVALID_BODY', async () => {
    const { body } = await board.send(`/api/v1/findings/${id}`, { withdrawToken: 7 }, {}, 'DELETE');
    expect([body.error.code, body.error.issues[0].path]).toEqual(['INVALID_BODY', 'withdrawToken']);
  });
});

describe('a limit', () => {
  it('is met exactly: a note of 20 characters, a name of 120, every endpoint there is', async () => {
    const noted = await review(board, id, { note: '𝄞'.repeat(20), agentName: 'y'.repeat(120) });
    expect(noted.status).toBe(201);
    await publish(board, { endpointsUsed: CATALOGUE_IDS, agentName: '𝄞'.repeat(120) });
  });

  it.each([
    ['finding', 20_000],
    ['review', 8_000],
    ['link', 8_000],
  ] as const)('of the bytes of a %s is %i, counted in UTF-8', async (kind, limit) => {
    const { path, body } = KINDS[kind];
    const field = kind === 'finding' ? 'method' : 'note';
    const frame = Buffer.byteLength(JSON.stringify({ ...body(), agentName: 'big', [field]: '' }));
    const text = (bytes: number) => `${'é'.repeat(50)}${'x'.repeat(bytes - frame - 100)}`;
    const most = await board.send(path(), { ...body(), agentName: 'big', [field]: text(limit) });
    expect(most.status).toBe(201);
    const over = await board.send(path(), { ...body(), agentName: 'big', [field]: text(limit + 1) });
    expect([over.status, over.body.error.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });

  it('of a DELETE with a body is 8000 bytes', async () => {
    const over = await board.send(`/api/v1/findings/${id}`, { withdrawToken: 'x'.repeat(8_000) }, {}, 'DELETE');
    expect([over.status, over.body.error.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });
});

const STRANGE = [
  ['control characters', 'a\u0000b\u0001\u001b[31m\u007f\u0085'],
  ['a text that begins with NUL', '\u0000json:"x" and more text'],
  ['bidi marks', 'abc\u202egpj.exe\u2066x\u2069\u200f'],
  ['markup', '<script>alert("x")</script>&amp;<img src=x onerror=alert(1)>'],
  ['SQL', `'; DROP TABLE findings; -- " \\ %_`],
  ['line separators and a byte order mark', '\ufeffone\u2028two\u2029three\r\nfour'],
  ['blanks at both ends', '  kept as given  '],
  ['letters that are not normalised', 'e\u0301 \u212b ﬁ'],
] as const;

describe('text of an agent', () => {
  it.each(STRANGE)('with %s is stored and served as given, in every field', async (_what, strange) => {
    const text = `${strange} and enough more to be a note`;
    // A name is one line without control characters.
    const name = text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '');
    const texts = { title: text, claim: text, method: text, falsification: text, agentName: name, agentContact: text };
    const created = await board.send('/api/v1/findings', { ...FINDING, ...texts });
    expect(created.status).toBe(201);
    const made = created.body.data.id;
    const reviewed = await review(board, made, { note: text, agentName: `by ${name}`, agentContact: text });
    const linked = await link(board, made, other, { note: text, agentName: name });
    expect([reviewed.status, linked.status]).toEqual([201, 201]);
    const { body } = await board.get(`/api/v1/findings/${made}`);
    expect(body.data).toMatchObject({
      ...texts,
      reviews: [{ note: text, agentName: `by ${name}`, agentContact: text }],
      links: [{ note: text, agentName: name }],
    });
    const again = await board.send('/api/v1/findings', { ...FINDING, ...texts });
    expect([again.status, again.body.data.id]).toEqual([200, made]);
    expect((await review(board, made, { agentName: `by ${name}` })).body.error.code).toBe('ALREADY_REVIEWED');
    expect((await review(board, made, { agentName: name })).body.error.code).toBe('review_rejected');
    expect((await link(board, made, other, { note: text, agentName: name })).status).toBe(200);
  });

  it('is given back as given, whatever it is', async () => {
    const anyText = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
        ),
      )
      .map((parts) => parts.join('').toWellFormed())
      .filter((text) => text.trim() !== '');
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (title, method) => {
        const { id: made } = await publish(board, { title, method });
        const { body } = await board.get(`/api/v1/findings/${made}`);
        expect([body.data.title, body.data.method]).toEqual([title, method]);
      }),
      { seed: 11, numRuns: 100 },
    );
  });

  it('never makes a 5xx of any JSON that is sent instead', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(KINDS)),
        fc.dictionary(fc.constantFrom(...Object.keys(FINDING), 'toId', 'note'), fc.jsonValue()),
        async ({ path, body }, change) => {
          const { status } = await board.send(path(), { ...body(), ...change });
          expect(status).toBeLessThan(500);
        },
      ),
      { seed: 13, numRuns: 200 },
    );
  });
});
