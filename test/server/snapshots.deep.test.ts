import { createHash } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { diff, type SnapshotDiff } from '../../pipeline/diff/diff.ts';
import { readManifest } from '../../snapshot/format/versions/current.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { twoVersions } from '../support/two-versions.ts';

const versions = ofFile(() => twoVersions());
const gateway = ofFile(() => openGateway(versions.snapshotsDir));
let cli: SnapshotDiff;
beforeAll(async () => {
  cli = await diff(versions.snapshotsDir, versions.older, versions.newer, null);
});

const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  gateway.app.fetch(new Request(`http://test.example${path}`, { headers, method }));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const onDisk = (name: string) => readFile(join(versions.snapshotsDir, versions.newer, name));

describe('the list of versions', () => {
  it('names what is held, newest first, with the change that each brought', async () => {
    const { older, newer } = versions;
    const { body } = await gateway.get('/api/v1/snapshots');
    expect(body.data).toMatchObject({
      current: newer,
      snapshots: [
        {
          version: newer,
          parent: older,
          current: true,
          changes: { added: 2, changed: 5, removed: 1, merged: 1, split: 1 },
        },
        { version: older, parent: null, current: false, changes: null, counts: { trials: 766 } },
      ],
      unreadable: [],
    });
    expect(body._meta).toMatchObject({ snapshot: newer, pagination: { totalItems: 2, hasMore: false } });
  });

  it('says when a run found the served version unchanged, and nothing of another', async () => {
    const { older, newer, snapshotsDir } = versions;
    const { registries } = await readManifest(join(snapshotsDir, newer));
    const before = await gateway.get('/api/v1/snapshots');
    expect(before.body.data.snapshots.map(({ checkedAt }: { checkedAt: null }) => checkedAt)).toEqual([null, null]);
    const checkedAt = '2026-10-02T11:00:00.000Z';
    const path = join(snapshotsDir, 'STATE.json');
    await writeFile(path, JSON.stringify({ lastCheck: { version: newer, checkedAt, registries } }));
    const after = await send('/api/v1/snapshots', { 'if-none-match': before.headers.get('etag')! });
    const { data } = (await after.json()) as { data: { snapshots: { version: string; checkedAt: string | null }[] } };
    expect(data.snapshots.map((one) => [one.version, one.checkedAt])).toEqual([
      [newer, checkedAt],
      [older, null],
    ]);
    expect((await gateway.get(`/api/v1/snapshots/${newer}`)).body.data.checkedAt).toBe(checkedAt);
    const page = await (await send(`/snapshots/${newer}`)).text();
    expect(page).toMatch(/on <time datetime="2026-10-02T11:00:00.000Z">.*<\/time>, unchanged since it was published/);
    await rm(path);
  });

  it('names apart a version whose manifest is damaged', async () => {
    const name = '20200101T000000Z-00000000';
    await cp(join(versions.snapshotsDir, versions.older), join(versions.snapshotsDir, name), { recursive: true });
    await writeFile(join(versions.snapshotsDir, name, 'manifest.json'), '{}');
    const listed = await gateway.get('/api/v1/snapshots');
    const one = await gateway.get(`/api/v1/snapshots/${name}`);
    await rm(join(versions.snapshotsDir, name), { recursive: true });
    expect(listed.body.data.unreadable).toEqual([{ version: name, reason: 'malformed' }]);
    expect(listed.body.data.snapshots).toHaveLength(2);
    expect([one.status, one.body.error.code]).toEqual([503, 'TRIALS_UNAVAILABLE']);
  });
});

describe('a version', () => {
  it('states its manifest as it is on disk, with the address of each file', async () => {
    const { newer, older } = versions;
    const { body } = await gateway.get(`/api/v1/snapshots/${newer}`);
    const manifest = JSON.parse((await onDisk('manifest.json')).toString());
    const { rules, contentHash, accepted, counts, codeVersion } = manifest;
    expect(body.data).toMatchObject({
      version: newer,
      parent: older,
      rules,
      contentHash,
      accepted,
      counts,
      codeVersion,
    });
    expect(body.data.manifest.sha256).toBe(sha256(await onDisk('manifest.json')));
    // The identity is the SHA-256 of a file that anyone can download.
    const identity = sha256(await onDisk('manifest.json'));
    expect([body.data.identity, body.data.statement.sha256, body._meta.identity]).toEqual([
      identity,
      identity,
      identity,
    ]);
    expect(newer.slice(-8)).toBe(identity.slice(0, 8));
    const statement = await send(`/snapshots/${newer}/files/manifest.json`);
    expect(statement.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(sha256(Buffer.from(await statement.arrayBuffer()))).toBe(identity);
    expect((await gateway.get('/api/v1/trials/search')).body._meta).toMatchObject({ snapshot: newer, identity });
    const trials = body.data.tables.find(({ table }: { table: string }) => table === 'trials');
    expect(trials).toEqual({
      table: 'trials',
      rows: manifest.tables.trials.rows,
      bytes: manifest.tables.trials.bytes,
      root: manifest.tables.trials.root,
      files: [
        {
          name: 'trials.parquet',
          path: 'trials.parquet',
          bytes: manifest.tables.trials.bytes,
          sha256: sha256(await onDisk('trials.parquet')),
          url: `http://test.example/snapshots/${newer}/files/trials.parquet`,
        },
      ],
    });
  });

  it('with a missing table fails to be compared and says so', async () => {
    const name = '20200101T000000Z-22222222';
    const dir = join(versions.snapshotsDir, name);
    await cp(join(versions.snapshotsDir, versions.older), dir, { recursive: true });
    await rm(join(dir, 'trials.parquet'));
    const { status, body, headers } = await gateway.get(`/api/v1/snapshots/${name}/diff/${versions.newer}`);
    const file = await gateway.get(`/snapshots/${name}/files/trials.parquet`);
    await rm(dir, { recursive: true });
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'TRIALS_UNAVAILABLE', '60']);
    expect(JSON.stringify(body)).not.toContain(versions.snapshotsDir);
    expect(file.status).toBe(404);
  });
});

describe('the difference of two versions', () => {
  it('says which trial holds today what it names, and that none does', async () => {
    const { older, newer } = versions;
    const added = await gateway.get(`/api/v1/snapshots/${older}/diff/${newer}?kind=registrations-added`);
    const [first] = added.body.data.now;
    expect(first).toMatchObject({ id: cli.registrations.added[0]!.id, canonicalId: expect.stringMatching(/^wt_/) });
    const back = await gateway.get(`/api/v1/snapshots/${newer}/diff/${older}?kind=trials-removed`);
    const held = cli.trials.added[0]!.canonicalId;
    expect(back.body.data.now).toContainEqual(expect.objectContaining({ id: held, canonicalId: held }));
    const removed = await gateway.get(`/api/v1/snapshots/${older}/diff/${newer}?kind=trials-removed`);
    expect(removed.body.data.now).toEqual([
      { id: cli.trials.removed[0]!.canonicalId, canonicalId: null, title: null, registrations: [] },
    ]);
  });

  it('that is not finished in time is 503 with a time to come again, and is there then', async () => {
    await using slow = await openGateway(versions.snapshotsDir);
    const { comparisons } = slow.index;
    const read = comparisons.read.bind(comparisons);
    Object.assign(comparisons, { read: async () => ({ state: 'unfinished' }) });
    const path = `/api/v1/snapshots/${versions.older}/diff/${versions.newer}`;
    const { status, headers, body } = await slow.get(path);
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '2', 'TRIALS_UNAVAILABLE']);
    expect(body.error.message).toMatch(/ is not finished yet\. Nothing failed: it goes on/);
    Object.assign(comparisons, { read });
    expect((await slow.get(path)).status).toBe(200);
  });
});
