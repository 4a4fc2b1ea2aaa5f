import type { Engine } from './engine.ts';
import type { Waits } from './postgres/lane.ts';
import { SqliteEngine } from './sqlite/engine.ts';
import { fileOf, isServer } from './store-address.ts';

export interface OpenOptions {
  /** The file with the key of the installation, for a board on PostgreSQL; beside a file it has a name of its own. */
  keyFile?: string;
  /** False on PostgreSQL: no LISTEN, as behind a pooler of transactions; a poll alone finds what other boards store. */
  listens?: boolean;
  /** How long a board on PostgreSQL waits for it, where that is not as usual. */
  waits?: Partial<Waits>;
  /** The clock of this process, for a board on PostgreSQL to be held against that of the server; without it none is. */
  clock?: () => Date;
}

/** Opens a store by its address. What PostgreSQL needs is loaded only for a board that lies there. */
export async function openEngine(store: string, { keyFile, ...options }: OpenOptions): Promise<Engine> {
  if (!isServer(store)) return SqliteEngine.open(fileOf(store));
  if (keyFile === undefined) throw new TypeError('a board on PostgreSQL needs the file of its key');
  const { PostgresEngine } = await import('./postgres/engine.ts');
  return PostgresEngine.open(store, keyFile, options);
}
