import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replicaName } from './follow.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-follow-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

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
