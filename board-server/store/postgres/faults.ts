import { StoreFault } from '../engine.ts';
import { placeOf } from '../store-address.ts';
import type { FaultKind } from '../write-health.ts';
import { sqlState } from './session.ts';

/** The database cannot be used as the board; start-up stops and says what to do. */
export class DatabaseFault extends StoreFault {}

/** The server could not be reached, or took no connection. */
export class ServerAway extends Error {
  constructor(cause: unknown) {
    super(`no connection to the database: ${said(cause)}`, { cause });
    this.name = 'ServerAway';
  }
}

/** The database has a schema that this program may not write to. */
export class SchemaTooNew extends Error {
  constructor() {
    super('the database has a newer schema');
    this.name = 'SchemaTooNew';
  }
}

/** This machine and the server do not agree on the time. */
export class ClocksApart extends Error {
  constructor(apartMs: number) {
    super(`the clock of this machine is ${Math.round(apartMs / 1000)} s from that of the database server`);
    this.name = 'ClocksApart';
  }
}

/** Another writer has held the head of the feed for longer than a writer waits. */
export const LOCK_NOT_AVAILABLE = '55P03';

export function faultOf(error: unknown): FaultKind | null {
  if (error instanceof ServerAway) return 'away';
  if (error instanceof SchemaTooNew) return 'newer';
  if (error instanceof ClocksApart) return 'clock';
  const state = sqlState(error);
  if (state === '53100') return 'full';
  if (state === '25006') return 'standby';
  return state === '58030' || /^XX00[12]$/.test(state) ? 'disk' : null;
}

/** What start-up says of an error. */
export function openingFault(url: string, error: unknown): StoreFault {
  if (error instanceof StoreFault) return error;
  const place = placeOf(url);
  return new DatabaseFault(`${place} ${adviceOn(error)}`, { cause: error });
}

function adviceOn(error: unknown): string {
  const cause = error instanceof ServerAway ? error.cause : error;
  const state = sqlState(cause);
  const words = said(cause);
  if (state === '28P01' || state === '28000')
    return `refuses the user or its password (${words}): correct BOARD_STORE, or the server's pg_hba.conf`;
  if (state === '3D000') return `does not exist (${words}): create the database, or correct BOARD_STORE`;
  if (state === '42501')
    return `may not be used by this user (${words}): give it CREATE on the schema, and the tables that are there`;
  if (state === '25006') return 'takes no writes, as a standby does: name the primary in BOARD_STORE';
  if (state === '53300') return `takes no more connections (${words}): raise max_connections, or run fewer boards`;
  if (state === '57P03') return `is not ready yet (${words}): wait, then start again`;
  if (state === LOCK_NOT_AVAILABLE) return 'is held by another writer that does not end: look at pg_stat_activity';
  if (state !== '') return `cannot be opened as a board (${words}): check the database and BOARD_STORE`;
  return `cannot be reached (${words}): start the server, or correct BOARD_STORE`;
}

function said(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(said).join('; ');
  return error instanceof Error ? error.message : String(error);
}
