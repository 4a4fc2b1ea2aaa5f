import type { Board } from '../../../board-server/store/board.ts';
import type { NewEvent } from '../../../board-server/store/event-chain.ts';
import type { EventRow } from '../../../board-server/store/tables.ts';
import type { EventAbout } from '../../../contract/event-abouts.ts';
import { plainEvent } from '../plain/plain-event.ts';

/** Appends one event, with an object id of `label`. */
export function post(board: Board, about: EventAbout, label: string, more: Partial<NewEvent> = {}): Promise<EventRow> {
  const event = { ...plainEvent(about, label), data: { title: `title of ${label}` }, ...more };
  return board.write((tx) => tx.appendEvent(tx.nextTime(), event));
}
