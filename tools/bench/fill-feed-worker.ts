import { randomBytes } from 'node:crypto';
import { Board } from '../../board-server/store/board.ts';

/**
 * Input of the worker that fills a feed and answers with the time of each event. Its heap ends with it, so that garbage of a million
 * events does not slow down what is measured afterwards.
 */
export interface FillFeedData {
  path: string;
  events: number;
}

/** Events appended in one transaction. */
const BATCH = 20_000;
const DAY_MS = 86_400_000;

/** Makes events of the last days, so that every page lies inside the feed's window. */
export async function fill({ path, events }: FillFeedData): Promise<Float64Array<ArrayBuffer>> {
  let now = Date.now() - 20 * DAY_MS;
  const step = (19 * DAY_MS) / events;
  const board = await Board.open(path, { now: () => new Date(now), random: randomBytes });
  const filled = new Float64Array(events);
  for (let done = 0; done < events; done += BATCH) {
    await board.write(async (tx) => {
      for (let place = done; place < Math.min(events, done + BATCH); place += 1) {
        const ts = tx.nextTime();
        const data = {
          subjectType: 'objective',
          subjectId: 'map-one-disease',
          body: `Message ${place} of the benchmark`,
        };
        await tx.appendEvent(ts, {
          about: 'message',
          action: 'created',
          objectId: tx.newId('msg', ts),
          agentName: `agent-${place % 97}`,
          subject: { type: data.subjectType, id: data.subjectId },
          text: `note posted: ${data.body}`,
          data,
          webhookEvent: null,
        });
        filled[place] = ts;
      }
    });
    now += step * BATCH;
  }
  await board[Symbol.asyncDispose]();
  return filled;
}
