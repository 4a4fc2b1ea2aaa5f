import { createHash } from 'node:crypto';
import { WorkerThread } from '../../../server-kit/threads/worker-thread.ts';

/** Makes the SHA-256 of files, one after the other, from their pieces as they are written. */
export interface FileSums extends AsyncDisposable {
  /** The next bytes of the file; they must stay as they are until `taken` says so. */
  add(piece: Uint8Array): void;
  /** Settles when all pieces so far may be overwritten. */
  taken(): Promise<void>;
  /** Ends the file; lower-case hex. */
  end(): Promise<string>;
}

/** Hashes each piece on the caller's thread. */
export function sumsInLine(): FileSums {
  let hash = createHash('sha256');
  return {
    add: (piece) => void hash.update(piece),
    taken: async () => undefined,
    end: async () => {
      const sum = hash.digest('hex');
      hash = createHash('sha256');
      return sum;
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Pieces to hash, and whether the file ends with them. The worker answers with its sum then, else with null. */
export interface SumStep {
  pieces: Uint8Array[];
  ends: boolean;
}
export type SumAnswer = string | null;

const PROGRAM = new URL('file-sum-worker.ts', import.meta.url);

/** Hashes in a worker. Pieces in shared memory are not copied. */
export function sumsBeside(): FileSums {
  const worker = new WorkerThread<SumAnswer, SumStep>(PROGRAM);
  let pieces: Uint8Array[] = [];
  const send = (ends: boolean): Promise<SumAnswer> => {
    const answer = worker.ask({ pieces, ends });
    pieces = [];
    // The caller awaits it later; until then a failure must not count as unhandled.
    answer.catch(() => undefined);
    return answer;
  };
  return {
    add: (piece) => void pieces.push(piece),
    taken: () => {
      const taken = send(false).then(() => undefined);
      taken.catch(() => undefined);
      return taken;
    },
    end: () => send(true) as Promise<string>,
    [Symbol.asyncDispose]: () => worker.stop(),
  };
}
