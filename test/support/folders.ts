import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** A temporary folder. */
export interface Folder {
  readonly path: string;
}

/** One folder for the tests of a file, removed after them. */
export function folderOfFile(): Folder {
  const path = join(tmpdir(), `trial-board-${randomUUID()}`);
  beforeAll(() => mkdir(path, { recursive: true }));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return { path };
}

/** An empty folder for each test, removed after it. */
export function folderOfTest(): Folder {
  const folder = { path: '' };
  beforeEach(async () => {
    folder.path = join(tmpdir(), `trial-board-${randomUUID()}`);
    await mkdir(folder.path);
  });
  afterEach(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}
