import { mkdtemp, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOfFile } from '../../test/support/folders.ts';
import { replicaName } from './follow.ts';

const { path: root } = folderOfFile();

it('a replica keeps its name, and another directory of the same host has another one', async () => {
  const [one, other] = [await mkdtemp(join(root, 'a-')), await mkdtemp(join(root, 'b-'))];
  const name = await replicaName(one);
  expect(name.startsWith(`${hostname()}-`)).toBe(true);
  expect(name).toMatch(/-[0-9a-f]{16}$/);
  expect(await replicaName(one)).toBe(name);
  expect(await replicaName(other)).not.toBe(name);
  // What a full disk left of it is no name.
  await writeFile(join(one, 'REPLICA_ID'), '');
  const anew = await replicaName(one);
  expect(anew).toMatch(/-[0-9a-f]{16}$/);
  expect(await replicaName(one)).toBe(anew);
});
