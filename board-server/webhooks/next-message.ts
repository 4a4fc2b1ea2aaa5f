import type { WebhookEvent } from '../../contract/webhook-events.ts';
import { firstOutboxOf, nextEvent } from '../store/outbox-store.ts';
import type { Reader } from '../store/reader.ts';
import { nextNews, versionAt } from './news-store.ts';
import { eventMessage, type Message, newsMessage } from './payload.ts';
import type { WebhookRow } from './tables.ts';
import { eventsOf } from './webhook-store.ts';

/** What a subscription is sent next. */
export interface NextMessage {
  name: WebhookEvent;
  ts: number;
  message: Message;
}

/** The first of all that lies after the cursor of a subscription: an event of the board, a version, or what its query found. */
export async function nextMessage(db: Reader, row: WebhookRow): Promise<NextMessage | null> {
  const names = eventsOf(row);
  const found: { ts: number; make: () => NextMessage | Promise<NextMessage> }[] = [];
  const event = await nextEvent(db, names, row.cursor);
  if (event !== null) {
    const { ts } = event.event;
    found.push({ ts, make: () => ({ name: event.name, ts, message: eventMessage(event.name, event.event) }) });
  }
  if (names.includes('snapshot.published')) {
    const ts = await firstOutboxOf(db, 'snapshot.published', row.cursor);
    if (ts !== null) found.push({ ts, make: () => versionMessage(db, ts) });
  }
  const news = row.query_key === null ? null : await nextNews(db, row.query_key, row.cursor);
  if (news !== null) {
    const { ts, version, data } = news;
    const id = `trials_${version}_${row.query_key}`;
    found.push({
      ts,
      make: () => ({ name: 'trial.changed', ts, message: newsMessage('trial.changed', id, ts, data) }),
    });
  }
  const first = found.sort((a, b) => a.ts - b.ts)[0];
  return first === undefined ? null : first.make();
}

async function versionMessage(db: Reader, ts: number): Promise<NextMessage> {
  const { version, data } = await versionAt(db, ts);
  const name = 'snapshot.published';
  return { name, ts, message: newsMessage(name, `snapshot_${version}`, ts, data) };
}
