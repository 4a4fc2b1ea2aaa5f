import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Effects } from '../../../pipeline/effects.ts';
import { type Published, type PublishInputs, publish } from '../../../pipeline/publish/publish.ts';
import type { Retention } from '../../../pipeline/publish/retention/retention.ts';
import { verify } from '../../../pipeline/publish/verify/verify.ts';
import { type Database, openWorkingDatabase } from '../../../pipeline/store/database.ts';
import {
  buildTestImage,
  type CorpusSpec,
  fillWorkingDatabase,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  tinyCorpus,
} from '../../builders/working-database.ts';
import { copyWithLinks } from './copy-with-links.ts';

/** For gc: this many versions of different content, and no more. */
export const onlyNewest = (keep: number): Retention => ({ keep, daily: 0, weekly: 0, monthly: 0 });

/** Publishes corpora from a working database, in a temporary folder of its own. */
export class TestPublisher implements AsyncDisposable {
  readonly path: string;
  readonly dataDir: string;
  readonly snapshots: string;
  readonly db: Database;
  #corpus: CorpusSpec;
  #isClosed = false;

  private constructor(path: string, db: Database, corpus: CorpusSpec) {
    this.path = path;
    this.dataDir = join(path, 'data');
    this.snapshots = join(path, 'snapshots');
    this.db = db;
    this.#corpus = corpus;
  }

  static async of(corpus: CorpusSpec = tinyCorpus): Promise<TestPublisher> {
    const path = await mkdtemp(join(tmpdir(), 'trial-board-publisher-'));
    return new TestPublisher(path, await makeWorkingDatabase(join(path, 'data'), corpus), corpus);
  }

  /** Closes this one and opens another in a copy of its folder, in which links stay links. */
  async copy(): Promise<TestPublisher> {
    await this.close();
    const path = join(tmpdir(), `trial-board-publisher-${randomUUID()}`);
    await copyWithLinks(this.path, path);
    return new TestPublisher(path, await openWorkingDatabase(join(path, 'data')), this.#corpus);
  }

  async fill(corpus: CorpusSpec): Promise<void> {
    await fillWorkingDatabase(this.db, this.dataDir, corpus);
    this.#corpus = corpus;
  }

  publish(
    changes: Partial<PublishInputs> = {},
    effects: Partial<Effects> = {},
    build = buildTestImage,
  ): Promise<Published> {
    return publish(publishInputs(this.path, this.#corpus, changes), this.db, build, quietEffects(effects));
  }

  async publishNext(corpus: CorpusSpec, changes: Partial<PublishInputs> = {}): Promise<Published> {
    await this.fill(corpus);
    return this.publish(changes);
  }

  /** Folder of a version. */
  dir(version: string): string {
    return join(this.snapshots, version);
  }

  async problems(
    version: string,
    options?: Parameters<typeof verify>[3],
  ): Promise<{ file: string; message: string }[]> {
    return (await verify(this.snapshots, version, quietEffects(), options)).problems;
  }

  /** Closes the working database, so that another process may open it, or a copy be made. */
  async close(): Promise<void> {
    if (!this.#isClosed) await this.db.close();
    this.#isClosed = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await rm(this.path, { recursive: true, force: true });
  }
}
