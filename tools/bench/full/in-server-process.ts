import { openSnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { readManifest } from '../../../snapshot/format/versions/current.ts';
import { expandedInProcess } from '../expanded.ts';
import { searchesInProcess } from '../in-process.ts';
import { drawQueries, spreadIds } from '../queries.ts';
import type { InServer } from './index-server.ts';

/** Opens the snapshot directory of its first argument, draws queries, searches, and prints an `InServer` as JSON. */

const [, , dir, asOf] = process.argv;
const image = openSnapshotImage(dir!);
const queries = drawQueries(image);
const calls = {
  ...searchesInProcess(image, queries, asOf!),
  ...(await expandedInProcess(image, await readManifest(dir!), queries)),
};
const found: InServer = { calls, queries, ids: spreadIds(image) };
process.stdout.write(JSON.stringify(found));
image.release();
