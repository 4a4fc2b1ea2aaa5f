import { MIGRATIONS } from '../migrations/all.ts';
import type { Session } from '../session.ts';
import type { ChainReport } from '../verify-chain.ts';
import { CopyFault, type Row } from './rows.ts';
import type { Shape } from './shapes.ts';

/** Where the feed of a board ends. */
export interface End {
  ts: number;
  hash: string;
  /** Latest time that any write took. */
  lastTime: number;
  /** Of the key that sealed what is stored. */
  keyName: string;
}

/** The board that is copied, seen at one moment. */
export interface Source extends AsyncDisposable {
  readonly session: Session;
  readonly end: End;
  /** Whether the board was written to since that moment. Nothing can be read any more once it was asked. */
  moved(): Promise<boolean>;
}

/** Where a board is copied to. Until `finish` it is no board: none starts there. */
export interface Target extends AsyncDisposable {
  readonly session: Session;
  /** Empties what an earlier copy left, unless it was of a board that ended where this one does. */
  begin(end: End, shapes: readonly Shape[]): Promise<void>;
  /** Adds rows, in one transaction. */
  put(shape: Shape, rows: readonly Row[]): Promise<void>;
  /** Makes the texts searchable and restores what kept watch over the tables. */
  complete(): Promise<void>;
  verify(): Promise<ChainReport>;
  /** Lets the next copy begin anew. */
  giveUp(): Promise<void>;
  /** Makes it a board. */
  finish(): Promise<void>;
}

/** Both ends have the schema of this program, so that a row means the same on both. */
export function refuseOtherSchema(place: string, schema: number): void {
  if (schema === MIGRATIONS.length) return;
  const remedy =
    schema < MIGRATIONS.length ? 'start its board once with this program, stop it' : 'copy it with the newer program';
  throw new CopyFault(`${place} has schema ${schema}, this program copies ${MIGRATIONS.length}: ${remedy}`);
}
