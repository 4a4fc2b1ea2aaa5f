import type { OpenOptions } from '../../../board-server/store/open-engine.ts';
import type { Answer } from '../gateway.ts';
import { countedBytes, openBoard, type TestBoard } from './board.ts';

export interface DatabaseBoard extends TestBoard {
  /** Posts a claim whose scope is `label`. */
  claim(label: string, headers?: Record<string, string>): Promise<Answer>;
}

let opened = 0;

/** One board over a database, with the operations that callers send; several of them may share it. */
export async function openDatabaseBoard(url: string, waits: OpenOptions['waits'] = {}): Promise<DatabaseBoard> {
  const counted = countedBytes();
  opened += 1;
  const place = opened;
  // Ids that two boards make at the same time must differ, as random ones do.
  const random = (bytes: number): Buffer => {
    const buffer = counted(bytes);
    buffer[0] = place;
    return buffer;
  };
  const board = await openBoard({ path: url, random, engine: { waits } });
  const claim: DatabaseBoard['claim'] = (label, headers = {}) => {
    const intent = 'Read every record of this slice and say which of them are one trial.';
    const body = { objectiveId: 'map-one-disease', scope: `scope of ${label}`, intent, agentName: 'agent' };
    return board.send('/api/v1/claims', body, headers);
  };
  return Object.assign(board, { claim });
}
