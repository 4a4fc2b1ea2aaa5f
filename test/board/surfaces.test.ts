import { describe, expect, it } from 'vitest';
import { argumentsOf } from '../../contract/interfaces/arguments.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { boardForEach, type TestBoard } from '../support/board/board.ts';
import { SURFACES, type Surface } from '../support/board/surfaces.ts';
import { filledIn } from '../support/filled-in.ts';

/** The rules that all surfaces of the board share, each told once. What a surface has of its own is in a file of its name. */

const board = boardForEach();

type Item = Record<string, unknown>;

const events = async () => (await board.get('/api/v1/changes?limit=200')).body.data.events;

async function bodyOf({ body, prepare }: Surface): Promise<Item> {
  return { ...body, ...(await prepare?.(board)) };
}

/** The body of a surface with another text, which is long enough for any of them. */
const varied = (body: Item, { text }: Surface, place: number): Item => ({
  ...body,
  [text]: `Thing ${place} of several, told at some length.`,
});

describe.each(SURFACES.map((surface) => [surface.create, surface] as const))('%s', (_id, surface) => {
  const { path, items, text, about, event, filter } = surface;

  it('stores a thing once, tells of it once, and gives its token to its author alone', async () => {
    const body = await bodyOf(surface);
    const before = (await events()).length;
    const first = await board.send(path, body);
    expect(first.status).toBe(201);
    const { id, predictionToken } = first.body.data;
    // A prediction without its author's token is that of another author.
    const again = await board.send(path, body, predictionToken ? { 'x-prediction-token': predictionToken } : {});
    expect([again.status, again.body.data.id]).toEqual([200, id]);
    const tokens = ['releaseToken', 'withdrawToken', 'predictionToken'];
    for (const token of tokens) expect(again.body.data[token] ?? null).toBeNull();
    const told = (await events()).slice(before);
    expect(told).toMatchObject([{ about, id, agentName: body.agentName, ...event }]);
    const shown = JSON.stringify([(await board.get(`${path}?${filter}`)).body, told]);
    for (const token of tokens) expect(shown).not.toContain(String(first.body.data[token] ?? 'no such token'));
    expect((await board.send(path, varied(body, surface, 2))).status).toBe(201);
    expect((await events()).length).toBe(before + 2);
  });

  it('keeps any text as it was given', async () => {
    const strange =
      '\u0000a\u0001\u001b[31m abc\u202egpj\u2066 <script>alert("x")</script>&amp; \'; DROP -- e\u0301 ﬁ ';
    // A name is one line without control characters.
    const given = text === 'agentName' ? strange.replaceAll(/[\p{Cc}]/gu, '') : strange;
    const { status, body } = await board.send(path, { ...(await bodyOf(surface)), [text]: given });
    expect(status).toBe(201);
    expect(body.data[text]).toBe(given);
    const list = (await board.get(path === '/api/v1/calibration' ? `${path}?view=open` : path)).body.data[items];
    expect(list[0][text]).toBe(given);
  });

  it('lists each once and in order, page by page, while others are added, under the same filter alone', async () => {
    const body = await bodyOf(surface);
    const ids: string[] = [];
    const add = async (place: number) => ids.push((await board.send(path, varied(body, surface, place))).body.data.id);
    for (let place = 0; place < 5; place += 1) await add(place);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page += 1) {
      const answer: Awaited<ReturnType<TestBoard['get']>> = await board.get(
        `${path}?${filter}&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      const { pagination } = answer.body._meta;
      seen.push(...answer.body.data[items].map(({ id }: Item) => id));
      expect([pagination.limit, pagination.returned]).toEqual([2, answer.body.data[items].length]);
      expect([pagination.total, pagination.hasMore]).toEqual([ids.length, pagination.nextCursor !== null]);
      if (page === 0) {
        const other = `${path}?${filter}&agentName=eve&objectiveId=reporting-gap&view=oldest&kind=glossary`;
        const refused = await board.get(`${other}&state=expired&cursor=${pagination.nextCursor}`);
        expect(refused.status).toBe(400);
        await add(5);
      }
      cursor = pagination.nextCursor;
    }
    expect(seen).toEqual(surface.oldestFirst ? ids : ids.slice(0, 5).reverse());
    const rest = (await board.get(`${path}?${filter}&limit=4&offset=4`)).body;
    expect(rest._meta.pagination).toMatchObject({ offset: 4, returned: 2, hasMore: false, nextCursor: null });
  });

  it('takes each member of its body to its bounds and not beyond, and names the one that is beyond', async () => {
    const body = await bodyOf(surface);
    const operation = OPERATIONS.find(({ id }) => id === surface.create)!;
    for (const { target, schema, place } of argumentsOf(operation)) {
      if (place !== 'body') continue;
      const { inside, outside } = bounds(schema);
      for (const value of inside) {
        const { status } = await board.send(path, { ...body, [target]: value });
        // Another agent may have no standing to propose.
        expect([target, value, status === 403 || status < 300]).toEqual([target, value, true]);
      }
      for (const value of outside) {
        const { status, body: answer } = await board.send(path, { ...body, [target]: value });
        expect([target, value, status, answer.error?.issues[0].path]).toEqual([target, value, 422, target]);
      }
    }
  });

  it('prints a call whose texts are for the caller to say', async () => {
    const needed = (await surface.prepare?.(board)) ?? {};
    const lists = [path, '/api/v1/cure-lab'];
    const data = await Promise.all(lists.map(async (list) => Object.values((await board.get(list)).body.data)));
    const guide = data.flat().find((one) => (one as { call?: string } | null)?.call === `POST ${path}`);
    const printed = { ...(guide as { body: Item }).body, ...needed };
    if (JSON.stringify(printed).includes('""')) expect((await board.send(path, printed)).status).toBe(422);
    expect((await board.send(path, { ...filledIn(printed), agentName: 'ada' })).status).toBe(201);
  });
});

/** Values at the bounds that a schema states, and next to them. Characters are counted as a reader counts them. */
function bounds(schema: JsonSchema): { inside: unknown[]; outside: unknown[] } {
  const {
    minLength,
    maxLength,
    minimum,
    maximum,
    type,
    enum: values,
  } = schema as Record<string, number | undefined> & {
    enum?: unknown[];
  };
  if (type === ('string' as unknown) && values === undefined) {
    const short = minLength === undefined ? [] : ['😀'.repeat(minLength - 1), ' '.repeat(minLength)];
    const long = maxLength === undefined ? [] : [(maxLength > 500 ? 'x' : '😀').repeat(maxLength + 1)];
    // Long texts are of one byte each, so that the body does not become too long.
    const most = maxLength === undefined ? [] : [(maxLength > 500 ? 'x' : '😀').repeat(maxLength)];
    return { inside: [...most], outside: [...short, ...long, 7, null, [], {}] };
  }
  if (values !== undefined) return { inside: [], outside: ['none of them', '__proto__', 7] };
  const numbers = (all: (number | undefined)[]) => all.filter((one) => one !== undefined && !Number.isNaN(one));
  return {
    inside: numbers([minimum, maximum]),
    outside: numbers([minimum! - 0.001, maximum! + 0.001]),
  };
}
