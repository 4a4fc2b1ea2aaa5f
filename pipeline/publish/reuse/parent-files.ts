import type { RecordBatch } from 'apache-arrow';
import { WorkerThread } from '../../../server-kit/threads/worker-thread.ts';
import { documentsFile } from '../../../snapshot/format/serving.ts';
import { readImageTable } from '../../../snapshot/image/arrow-reader.ts';
import { NotReusable, type ParentSnapshot } from '../serving/reused.ts';
import { inImage, ParentImage } from './parent-image.ts';

/** The document files of a parent's image; the caller asks for them in ascending order. */
export interface ParentFiles extends AsyncDisposable {
  /**
   * Batches of file `number`, valid until another file is asked for.
   * @throws NotReusable when the file is not the one that the manifest describes
   */
  batches(number: number): Promise<RecordBatch[]>;
}

/** What the worker is started with. */
export interface ParentFilesData {
  parent: ParentSnapshot;
  paths: string[];
  /** The files are read into these in turn; each is large enough for any file. */
  rooms: SharedArrayBuffer[];
  /** One number: the file that is in use. The memory of files before it may be overwritten. */
  using: SharedArrayBuffer;
}

/** The worker's answer for each file in turn: why it cannot be used, or null when it was read. */
export type ParentFileAnswer = string | null;

const PROGRAM = new URL('parent-files-worker.ts', import.meta.url);
const ROOMS = 2;

/** Reads each file when it is asked for. */
export function filesWhenAsked(parent: ParentSnapshot): ParentFiles {
  const image = new ParentImage(parent);
  const room = new ArrayBuffer(largest(image, pathsOf(image)));
  return {
    batches: async (number) => image.table(inImage(documentsFile(number)), room).batches,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Reads and checks files in a worker: the next file while the caller uses one. Holds two of them. */
export function filesAhead(parent: ParentSnapshot): ParentFiles {
  return new FilesAhead(parent);
}

class FilesAhead implements ParentFiles {
  readonly #worker: WorkerThread<ParentFileAnswer>;
  readonly #rooms: SharedArrayBuffer[];
  readonly #using = new Int32Array(new SharedArrayBuffer(4));
  readonly #lengths: number[];
  readonly #answers: Promise<ParentFileAnswer>[];

  constructor(parent: ParentSnapshot) {
    const image = new ParentImage(parent);
    const paths = pathsOf(image);
    this.#lengths = paths.map((path) => image.bytesOf(path));
    this.#rooms = Array.from({ length: ROOMS }, () => new SharedArrayBuffer(largest(image, paths)));
    const { dir, imageVersion, files } = parent;
    const data: ParentFilesData = {
      parent: { dir, imageVersion, files },
      paths,
      rooms: this.#rooms,
      using: this.#using.buffer as SharedArrayBuffer,
    };
    this.#worker = new WorkerThread(PROGRAM, data);
    this.#answers = paths.map(() => this.#worker.answer());
    // The error is thrown where a file is awaited; until then it must not count as unhandled.
    for (const answer of this.#answers) answer.catch(() => undefined);
  }

  async batches(number: number): Promise<RecordBatch[]> {
    Atomics.store(this.#using, 0, number);
    Atomics.notify(this.#using, 0);
    const answer = this.#answers[number];
    if (answer === undefined) throw new NotReusable(`the parent has no ${documentsFile(number)}`);
    const unusable = await answer;
    if (unusable !== null) throw new NotReusable(unusable);
    const room = this.#rooms[number % ROOMS] as SharedArrayBuffer;
    return readImageTable(new Uint8Array(room, 0, this.#lengths[number]), documentsFile(number)).batches;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.stop();
  }
}

function pathsOf(image: ParentImage): string[] {
  const paths: string[] = [];
  while (image.has(inImage(documentsFile(paths.length)))) paths.push(inImage(documentsFile(paths.length)));
  return paths;
}

function largest(image: ParentImage, paths: readonly string[]): number {
  return Math.max(0, ...paths.map((path) => image.bytesOf(path)));
}
