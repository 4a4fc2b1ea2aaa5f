import type { Engine } from './engine.ts';
import { SqliteEngine } from './sqlite/engine.ts';

export interface OpenOptions {
  /** The file with the key of the installation, for a board on PostgreSQL; beside a file it has a name of its own. */
  keyFile?: string;
}

/** Whether a store is a database server, which several boards may share. */
export function isServer(store: string): boolean {
  return /^postgres(?:ql)?:/.test(store);
}

/** What a store is called in a message: its path, or server and database without the password. */
export function placeOf(store: string): string {
  if (!isServer(store)) return fileOf(store);
  const address = URL.parse(store);
  return address === null ? 'the database' : `${address.host}${address.pathname}`;
}

/** The path of a store that is a file. */
export function fileOf(store: string): string {
  return store.replace(/^sqlite:/, '');
}

/** Opens a store by its address. What PostgreSQL needs is loaded only for a board that lies there. */
export async function openEngine(store: string, { keyFile }: OpenOptions): Promise<Engine> {
  if (!isServer(store)) return SqliteEngine.open(fileOf(store));
  if (keyFile === undefined) throw new TypeError('a board on PostgreSQL needs the file of its key');
  const { PostgresEngine } = await import('./postgres/engine.ts');
  return PostgresEngine.open(store, keyFile);
}
