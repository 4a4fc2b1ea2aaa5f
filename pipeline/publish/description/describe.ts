import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaDocument } from '../../../snapshot/sql/row-schema.ts';
import type { Effects } from '../../effects.ts';
import { type FileSum, sumFile, sync } from '../durable.ts';
import { dataPackage } from './data-package.ts';
import { type DescribedSnapshot, factsOf, tablesOf } from './facts.ts';
import { snapshotDatabase } from './snapshot-database.ts';

export const SCHEMA_FILE = 'schema.json';
export const DATABASE_FILE = 'snapshot.duckdb';

/** Writes the files that describe the tables in `dir` to other tools, makes them durable and sums them. */
export async function writeDescriptions(
  dir: string,
  snapshot: DescribedSnapshot,
  effects: Effects,
): Promise<FileSum[]> {
  const facts = factsOf(snapshot);
  const contents: Record<string, string | Buffer> = {
    [SCHEMA_FILE]: json(schemaDocument(tablesOf(snapshot).map(({ table }) => table))),
    'datapackage.json': json(dataPackage(snapshot, facts)),
    [DATABASE_FILE]: await snapshotDatabase(dir, snapshot),
  };
  const sums: FileSum[] = [];
  for (const [name, content] of Object.entries(contents)) {
    await writeFile(join(dir, name), content);
    effects.checkpoint(`written:${name}`);
    await sync(join(dir, name));
    effects.checkpoint(`synced:${name}`);
    sums.push(await sumFile(dir, name));
  }
  return sums;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
