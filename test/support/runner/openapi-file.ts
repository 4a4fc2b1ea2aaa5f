import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openApiDocument } from '../../../gateway/description/openapi-document.ts';

/** Writes the document of the contract as it is, once for the whole test run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-openapi-'));
  const path = join(root, 'openapi.json');
  await writeFile(path, JSON.stringify(openApiDocument('http://127.0.0.1:3000')));
  project.provide('openApiFile', path);
  return () => rm(root, { recursive: true, force: true });
}
