import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../pipeline/store/database.ts';
import { unguarded } from '../support/checks/unguarded.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { leaveUnchecked } from '../support/runner/openapi-check.ts';
import { type TwoVersions, twoVersions } from '../support/two-versions.ts';

let versions: TwoVersions;
let gateway: TestGateway;
let folder: string;
let db: Database;
beforeAll(async () => {
  versions = await twoVersions();
  gateway = await openGateway(versions.snapshotsDir);
  folder = await mkdtemp(join(tmpdir(), 'trial-board-taken-'));
  db = await Database.open(':memory:');
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
  await gateway[Symbol.asyncDispose]();
  await versions[Symbol.asyncDispose]();
});

async function take(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return gateway.app.fetch(new Request(`http://test.example${path}`, { headers, method }));
}

async function rowsAt(address: string): Promise<{ head: string; rows: Record<string, string | null>[] }> {
  const response = await take(address);
  expect(response.status).toBe(200);
  const text = await response.text();
  const path = join(folder, 'taken.csv');
  await writeFile(path, text);
  const read = `read_csv('${path}', header = true, all_varchar = true, quote = '"', escape = '"', delim = ',', new_line = '\\r\\n')`;
  const rows = (await db.all(`FROM ${read}`)) as Record<string, string | null>[];
  const raw = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === null ? null : unguarded(cell)])),
  );
  return { head: text.split('\r\n')[0]!, rows: raw };
}

/** Every entry of a list of the comparison. */
async function entriesOf(kind: string): Promise<Record<string, unknown>[]> {
  const entries: Record<string, unknown>[] = [];
  for (let page = 1; ; page++) {
    const { body } = await gateway.get(
      `/api/v1/snapshots/${versions.older}/diff/${versions.newer}?kind=${kind}&pageSize=100&page=${page}`,
    );
    entries.push(...body.data.entries);
    if (!body._meta.pagination.hasMore) return entries;
  }
}

describe('/snapshots/diff.csv', () => {
  const addressOf = (kind: string) =>
    `/snapshots/diff.csv?from=${versions.older}&to=${versions.newer}&kind=${kind}&header=names`;

  it('has a row for each field that differs of each changed trial', async () => {
    const { head, rows } = await rowsAt(addressOf('trials-changed'));
    const entries = await entriesOf('trials-changed');
    const fields = entries.flatMap(({ canonicalId, fields }) =>
      (fields as { field: string }[]).map(({ field }) => [canonicalId, field]),
    );
    expect(rows.map(({ id, column }) => [id, column])).toEqual(fields);
    expect(head).toContain(`Trials changed between ${versions.older} (data as of `);
    expect(head).toContain(`Number of entries: ${entries.length}, with a row for each field that differs.`);
    const day = rows.find(({ column }) => column === 'last_updated_date');
    expect(day).toMatchObject({ field: 'Last updated date', after: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) });
  });

  it.each(['trials-added', 'trials-removed', 'trials-merged', 'trials-split', 'registrations-added', 'links-gained'])(
    'has a row for each of %s',
    async (kind) => {
      const { rows } = await rowsAt(addressOf(kind));
      const entries = await entriesOf(kind);
      expect(rows.map(({ id }) => id)).toEqual(
        entries.map(({ canonicalId, id, linkId }) => canonicalId ?? id ?? linkId),
      );
    },
  );

  it('is refused before anything is sent, as a page to a browser', async () => {
    const refused = await take('/snapshots/diff.csv?from=20200101T000000Z-00000000&to=current');
    expect(refused.status).toBe(404);
    expect(((await refused.json()) as { error: { code: string } }).error.code).toBe('NOT_FOUND');
    const missing = await take('/snapshots/diff.csv?to=current');
    expect(missing.status).toBe(400);
    using _page = leaveUnchecked();
    const page = await take('/snapshots/diff.csv?to=current', { accept: 'text/html' });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });
});

describe('/snapshots/runs.csv', () => {
  it('has the runs of the record, newest first', async () => {
    const { body } = await gateway.get('/api/v1/pipeline/runs?pageSize=100');
    const { head, rows } = await rowsAt('/snapshots/runs.csv?header=names');
    expect(rows.map(({ run, outcome }) => [run, outcome])).toEqual(
      body.data.runs.map(({ run, outcome }: { run: string; outcome: string }) => [run, outcome]),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(head).toContain(`Runs of the pipeline. Number of runs: ${rows.length}, newest first.`);
    const again = await take('/snapshots/runs.csv?header=names');
    const known = await take('/snapshots/runs.csv?header=names', { 'if-none-match': again.headers.get('etag')! });
    expect(known.status).toBe(304);
  });
});
