import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { KeptTask } from '../a2a/task.ts';
import { withoutSecrets } from '../a2a/task-secrets.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** The owner of a new task; updating a task does not change it. */
export interface TaskOwner {
  /** The client address that requests are counted under. */
  address: string;
  /** Who may read it and go on with it. */
  caller: string;
  /** Hash of the message that began it, to recognise an equal message; null if that is not needed. */
  request: string | null;
}

/** Ends a turn. */
export type EndTurn = () => Promise<void>;

/** A2A tasks of the last 24 hours. No one-time token is in them. Any method may reject; no answer rests on it. */
export interface TaskStore {
  /** The caller's task with this id, unless expired. */
  read(id: string, caller: string, now: Date): Promise<KeptTask | null>;
  /** The newest task begun by the message with this hash, unless expired. */
  readByRequest(request: string, now: Date): Promise<KeptTask | null>;
  /** Stores a task. Beyond a bound, the oldest tasks of its address are removed, then the oldest of all. */
  write(task: KeptTask, owner: TaskOwner): Promise<void>;
  /** Removes some expired tasks, where the store does not do so by itself. */
  sweep(now: Date): void;
  /** Resolves once no other gateway works on this key; none does until the turn is ended. */
  turn(key: string): Promise<EndTurn>;
}

/** The form in which a task is stored: gzip of its JSON, without the one-time tokens. */
export function packedTask(task: KeptTask): Promise<Buffer> {
  return pack(JSON.stringify(withoutSecrets(task)), { level: 1 });
}

export async function unpackedTask(body: Buffer): Promise<KeptTask> {
  return JSON.parse((await unpack(body)).toString()) as KeptTask;
}
