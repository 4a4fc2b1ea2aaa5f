import { randomUUID } from 'node:crypto';
import { sha256 } from '../../server-kit/hashing.ts';
import type { KeptTask } from '../a2a/task.ts';
import { exchangeJson } from '../upstream/read-json.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { type EndTurn, packedTask, type TaskOwner, type TaskStore, unpackedTask } from './task-store.ts';
import { turnOnceFree } from './turns.ts';

const PATH = '/internal/a2a-tasks';
const TURNS = '/internal/a2a-turns';
/** After this long without a byte from the board, a task counts as not stored, or as not found. */
const SILENCE_MS = 2_000;
/** Longer than every id that a gateway gives; a caller may ask for any. */
const ID_MAX_CHARACTERS = 64;

/** Tasks of all gateways of a board, which keeps them. Its own clock says which are expired. */
export class BoardTasks implements TaskStore {
  readonly #board: Upstream;

  constructor(board: Upstream) {
    this.#board = board;
  }

  async read(id: string, caller: string): Promise<KeptTask | null> {
    return id.length > ID_MAX_CHARACTERS ? null : this.#found({ id, caller });
  }

  readByRequest(request: string): Promise<KeptTask | null> {
    return this.#found({ request });
  }

  async write(task: KeptTask, owner: TaskOwner): Promise<void> {
    const body = (await packedTask(task)).toString('base64');
    await this.#post(PATH, { id: task.id, ...owner, changedAt: Date.parse(task.changedAt), body });
  }

  /** The board does, with tasks that it stores. */
  sweep(): void {}

  turn(key: string): Promise<EndTurn> {
    const turn = { key: sha256(key), holder: randomUUID() };
    return turnOnceFree(async () => {
      const { taken } = await this.#post<{ taken: boolean }>(TURNS, turn);
      return taken ? async () => void (await this.#post(`${TURNS}/end`, turn)) : null;
    });
  }

  async #found(query: Record<string, string>): Promise<KeptTask | null> {
    const path = `${PATH}?${new URLSearchParams(query)}`;
    const sent = { method: 'GET', path, silenceMs: SILENCE_MS, queue: 'short' } as const;
    const { status, body } = await exchangeJson<{ body: string }>(this.#board, sent);
    if (status === 404) return null;
    if (status === 200) return unpackedTask(Buffer.from(body.body, 'base64'));
    throw new Error(`${PATH} answered ${status}`);
  }

  async #post<Body>(path: string, value: unknown): Promise<Body> {
    const sent = { method: 'POST', path, value, silenceMs: SILENCE_MS, queue: 'short' } as const;
    const { status, body } = await exchangeJson<Body>(this.#board, sent);
    if (status === 200) return body;
    throw new Error(`${path} answered ${status}`);
  }
}
