import { Worker } from 'node:worker_threads';
import { type RecordBatch, tableFromIPC } from 'apache-arrow';
import { documentsFile } from '../../../snapshot-format/serving.ts';
import { inImage } from './inheritance.ts';
import { ParentImage, type ParentSnapshot, ParentUnusable } from './parent-image.ts';

/** The document files of a parent's image, asked for in ascending order. */
export interface ParentFiles extends AsyncDisposable {
  /**
   * Batches of file `number`, good until another file is asked for.
   * @throws ParentUnusable when the file is not the one that the manifest describes
   */
  batches(number: number): Promise<RecordBatch[]>;
}

/** What the thread is told at its start. */
export interface ParentFilesData {
  parent: ParentSnapshot;
  paths: string[];
  /** Where the files are read to, in turn; each has room for any of them. */
  rooms: SharedArrayBuffer[];
  /** One number: the file that is being used. Those before it may be written over. */
  using: SharedArrayBuffer;
}

/** What the thread says of each file in turn: why it cannot be used, or null when it is read. */
export type ParentFileAnswer = string | null;

const PROGRAM = new URL('parent-files-child.ts', import.meta.url);
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

/** Reads and checks files on a thread, the next one while one is being used. Holds two of them. */
export function filesAhead(parent: ParentSnapshot): ParentFiles {
  return new FilesAhead(parent);
}

class FilesAhead implements ParentFiles {
  readonly #worker: Worker;
  readonly #rooms: SharedArrayBuffer[];
  readonly #using = new Int32Array(new SharedArrayBuffer(4));
  readonly #lengths: number[];
  readonly #answers: { promise: Promise<ParentFileAnswer>; resolve: (answer: ParentFileAnswer) => void }[];
  readonly #failed: Promise<never>;

  constructor(parent: ParentSnapshot) {
    const image = new ParentImage(parent);
    const paths = pathsOf(image);
    this.#lengths = paths.map((path) => image.bytesOf(path));
    this.#rooms = Array.from({ length: ROOMS }, () => new SharedArrayBuffer(largest(image, paths)));
    this.#answers = paths.map(() => Promise.withResolvers<ParentFileAnswer>());
    const { dir, imageVersion, files } = parent;
    const data: ParentFilesData = {
      parent: { dir, imageVersion, files },
      paths,
      rooms: this.#rooms,
      using: this.#using.buffer as SharedArrayBuffer,
    };
    this.#worker = new Worker(PROGRAM, { env: {}, workerData: data });
    let answered = 0;
    this.#worker.on('message', (answer: ParentFileAnswer) => this.#answers[answered++]?.resolve(answer));
    this.#failed = new Promise((_, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('exit', () => {
        if (answered < paths.length) reject(new Error("the thread that reads the parent's documents ended early"));
      });
    });
    // Whoever waits for a file meets the failure; until then it must not count as unhandled.
    this.#failed.catch(() => undefined);
  }

  async batches(number: number): Promise<RecordBatch[]> {
    Atomics.store(this.#using, 0, number);
    Atomics.notify(this.#using, 0);
    const asked = this.#answers[number];
    if (asked === undefined) throw new ParentUnusable(`the parent has no ${documentsFile(number)}`);
    const unusable = await Promise.race([asked.promise, this.#failed]);
    if (unusable !== null) throw new ParentUnusable(unusable);
    const room = this.#rooms[number % ROOMS] as SharedArrayBuffer;
    return tableFromIPC(new Uint8Array(room, 0, this.#lengths[number])).batches;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
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
