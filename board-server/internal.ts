import type { H3 } from 'h3';
import { LAB_DISEASE_IDS } from '../contract/declared/research.ts';
import { contractFingerprint, type HealthRecorder, type Reading, type ServerStatus } from '../server-kit/health.ts';
import { councilView, presentInEffect } from './council/in-effect.ts';
import { evidenceOfDisease, totalsByDisease } from './cure-lab/totals.ts';
import { readOutcomes, storeOutcomes } from './findings/receipts.ts';
import { liveKeyByHash } from './keys/key-store.ts';
import { internalAnswer, internalBody } from './kit/internal-answer.ts';
import { headTime, surfaceCounts } from './orientation/count-store.ts';
import type { BoardServerServices } from './services.ts';
import type { Board } from './store/board.ts';
import { toIso, toMicros } from './store/instants.ts';
import { mountTraffic } from './traffic/mount-traffic.ts';
import { askedOfIndex, foundSchema } from './webhooks/asked-of-index.ts';
import { storeNews } from './webhooks/news-store.ts';
import type { UnstoredCounts } from './webhooks/unstored.ts';

/**
 * Paths that only the gateway may call. It forwards nothing but operations of the contract, so its clients cannot reach
 * them. Keys are looked up by their hash, which is useless to anyone who does not hold the key already.
 */
export function mountInternal(
  app: H3,
  options: { services: BoardServerServices; health: HealthRecorder; now: () => Date },
): void {
  const { services, health, now } = options;
  const { board } = services;
  app.get('/internal/keys/:hash', async (event) => {
    const live = await liveKeyByHash(board.read, event.context.params?.hash ?? '', toMicros(now()));
    return internalAnswer(live ? 200 : 404, live ? { id: live.id, rateLimit: live.rate_limit } : {});
  });
  app.get('/internal/cure-lab', async () => internalAnswer(200, await totalsByDisease(board.read)));
  app.get('/internal/cure-lab/:disease', async (event) => {
    const disease = LAB_DISEASE_IDS.find((id) => id === event.context.params?.disease);
    return disease === undefined
      ? internalAnswer(404, {})
      : internalAnswer(200, await evidenceOfDisease(board.read, disease));
  });
  app.get('/internal/additions', async () => internalAnswer(200, await additionsOf(board, now())));
  app.get('/internal/trial-queries', async () => internalAnswer(200, await askedOfIndex(board)));
  app.post('/internal/trial-queries', async (event) => {
    const news = await internalBody(event, foundSchema);
    if (news === null) return internalAnswer(400, {});
    const { version, found } = news;
    await board.write((tx) => storeNews(tx, version, found));
    services.webhooks?.news();
    return internalAnswer(200, {});
  });
  app.get('/internal/surfaces', async () => internalAnswer(200, await board.snapshot(surfaceCounts)));
  app.post('/internal/receipts', async (event) => {
    const outcomes = readOutcomes(await event.req.json());
    await board.write((tx) => storeOutcomes(tx, outcomes));
    return internalAnswer(200, {});
  });
  mountTraffic(app, { board, now });
  app.get('/internal/status', async () => {
    const unstored = services.webhooks?.unstored() ?? null;
    return internalAnswer(200, await statusOf({ board, health, unstored }, now()));
  });
}

/** What the council added to the standing work, as short as the discovery answer lists it. */
async function additionsOf(board: Board, now: Date) {
  const { objectives, openQuestions } = presentInEffect(await councilView(board.read, toMicros(now)));
  return {
    objectives: objectives.map(({ id, title, level, effort, origin }) => ({ id, title, level, effort, origin })),
    questions: openQuestions.map(({ id, question, level, effort, origin }) => ({
      id,
      question,
      level,
      effort,
      origin,
    })),
  };
}

interface Stated {
  board: Board;
  health: HealthRecorder;
  unstored: UnstoredCounts | null;
}

async function statusOf({ board, health, unstored }: Stated, now: Date): Promise<ServerStatus> {
  const readings: Reading[] = [
    { component: 'board-server', state: 'up', detail: 'answers' },
    await storeReading(board),
    await readingOf('change-feed', () => feedDetail(board)),
    ...(unstored === null ? [] : [webhookReading(unstored)]),
  ];
  return {
    startedAt: health.startedAt.toISOString(),
    contract: contractFingerprint(),
    writeProvenAt: board.health.provenAt?.toISOString() ?? null,
    components: readings.map((reading) => ({ ...reading, since: health.since(reading, now).toISOString() })),
  };
}

/** A store that takes no writes is down, although it is read. */
async function storeReading(board: Board): Promise<Reading> {
  const { said, pagesCheckedAt } = board.health;
  const pages = pagesCheckedAt === null ? '' : `, pages sound at ${pagesCheckedAt.toISOString()}`;
  const component = board.aside === null ? 'board-file' : 'board-database';
  const reading = await readingOf(component, async () => `readable, schema ${await board.schema()}${pages}`);
  return said === null ? reading : { ...reading, state: 'down', detail: said };
}

/** Receivers get what was made twice: its outcome was lost with the store or with the lease. */
function webhookReading({ waiting, again }: UnstoredCounts): Reading {
  const made = waiting + again === 0 ? 'each delivery was stored' : `${waiting} deliveries wait to be stored`;
  const repeated = again === 0 ? '' : `, ${again} since the start were not stored and made again`;
  return { component: 'webhooks', state: waiting === 0 ? 'up' : 'down', detail: `${made}${repeated}` };
}

async function feedDetail(board: Board): Promise<string> {
  const head = await headTime(board.read);
  return head === null ? 'no event yet' : `newest event at ${toIso(head)}`;
}

/**
 * What a component says of itself. One that fails is down; the reason goes to the log for the operator, not into the
 * answer.
 */
async function readingOf(component: string, read: () => Promise<string>): Promise<Reading> {
  try {
    return { component, state: 'up', detail: await read() };
  } catch {
    return { component, state: 'down', detail: 'could not be read' };
  }
}
