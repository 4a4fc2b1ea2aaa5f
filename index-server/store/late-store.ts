import type {
  DeclaredPublication,
  ParquetStore,
  PayloadKey,
  RawPayload,
  RegistrationKey,
  SnapshotFiles,
} from './parquet-store.ts';

/** Reads by key from a snapshot's tables. */
export type KeyedReads = Pick<ParquetStore, 'rawPayloads' | 'publications'>;

/**
 * Opens the store, and loads its database, at the first look-up or with `ready`, whichever comes first: neither a
 * search nor the start waits for it. After a failure, the next look-up tries again.
 */
export class LateStore implements KeyedReads, AsyncDisposable {
  readonly #open: () => Promise<ParquetStore>;
  #store: Promise<ParquetStore> | null = null;

  constructor(open: () => Promise<ParquetStore> = openParquetStore) {
    this.#open = open;
  }

  /** Rejects when the database cannot be loaded. */
  async ready(): Promise<void> {
    await this.#opened();
  }

  async rawPayloads(snapshot: SnapshotFiles, keys: readonly PayloadKey[]): Promise<RawPayload[]> {
    return (await this.#opened()).rawPayloads(snapshot, keys);
  }

  async publications(snapshot: SnapshotFiles, keys: readonly RegistrationKey[]): Promise<DeclaredPublication[]> {
    return (await this.#opened()).publications(snapshot, keys);
  }

  #opened(): Promise<ParquetStore> {
    this.#store ??= this.#open().catch((error: unknown) => {
      this.#store = null;
      throw error;
    });
    return this.#store;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const store = await this.#store?.catch(() => null);
    await store?.[Symbol.asyncDispose]();
  }
}

async function openParquetStore(): Promise<ParquetStore> {
  const { ParquetStore } = await import('./parquet-store.ts');
  return ParquetStore.open();
}
