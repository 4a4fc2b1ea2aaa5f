import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openIndexServices } from '../../index-server/services.ts';
import { readManifest } from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { MANIFEST_FILE } from '../../snapshot/format/versions/own-files.ts';
import { writeOwnFiles } from '../builders/manifest.ts';
import { type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { keptLog } from '../support/log-lines.ts';
import { NEWER, OLDER, twoSnapshots } from '../support/snapshots/two-snapshots.ts';

const FORGED = 'FORGED';
const SEARCH = '/api/v1/trials/search?pageSize=100';

function overwriteTitle(path: string): void {
  const bytes = readFileSync(path);
  bytes.write(FORGED, bytes.indexOf('"title":"') + '"title":"'.length);
  writeFileSync(path, bytes);
}

function noise(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 64);
  writeFileSync(path, bytes);
}

function redate(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"asOf":"[^"]+"/, '"asOf":"2026-11-20"'));
}

async function serving(
  snapshotsDir: string,
  look: (origin: BareOrigin, log: ReturnType<typeof keptLog>) => Promise<void>,
): Promise<void> {
  const log = keptLog();
  await using index = await openIndexServices(snapshotsDir, log.log);
  await using origin = await openBareOrigin({ index });
  await look(origin, log);
}

describe('a snapshot that is not as published', () => {
  it.each([
    ['a title overwritten in its documents', 'serving/documents-000.arrow', overwriteTitle, /^SHA-256 [0-9a-f]{64}$/],
    ['a manifest that was changed', MANIFEST_FILE, redate, /^identity [0-9a-f]{64}$/],
  ])(
    '%s: is never served; the one before it is, marked as degraded, and the log names file and sums',
    async (_what, file, damage, found) => {
      using snapshots = twoSnapshots();
      damage(snapshots.path(NEWER, file));
      await serving(snapshots.snapshotsDir, async (origin, log) => {
        const refused = `CURRENT names ${NEWER}, but its file ${file} is not as published; the log says more`;
        const search = await origin.ask(SEARCH);
        expect([search.status, search.body._meta.snapshot]).toEqual([200, OLDER]);
        expect(search.text).not.toContain(FORGED);
        const { degraded, provenance, freshness } = search.body._meta;
        expect([degraded, provenance.worldwide]).toEqual([true, false]);
        expect(freshness.map((one: { degradedReason: string }) => one.degradedReason)).toEqual(
          freshness.map(() => `${OLDER} is served in place of another snapshot: ${refused}`),
        );

        const checkedAt = expect.stringMatching(/^\d{4}-.*Z$/);
        const ready = await origin.ask('/readyz');
        expect([ready.status, ready.body]).toEqual([
          200,
          { status: 'ready', snapshot: OLDER, detail: refused, checkedAt, refused },
        ]);
        const { data } = (await origin.ask('/api/v1/status')).body;
        expect([data.state, data.snapshot]).toEqual(['degraded', { version: OLDER, checkedAt, refused }]);
        expect((await origin.ask('/metrics')).text).toMatch(/^trial_board_snapshot_refused 1$/m);

        const lines = log.lines().filter(({ event }) => event === 'snapshot-refused');
        const expected = expect.stringMatching(/^(SHA-256 [0-9a-f]{64}|\d+ bytes|that of \S+)$/);
        expect(lines).toEqual([
          expect.objectContaining({ version: NEWER, path: file, found: expect.stringMatching(found), expected }),
        ]);
      });
    },
  );

  // Whoever makes the sums again makes another identity, and then the version has another name.
  it.each<[string, (manifest: Manifest) => unknown]>([
    ['document', ({ serving }) => (serving.files[0]!.sha256 = '0'.repeat(64))],
    ['input', ({ registries }) => (registries[0]!.inputs[0]!.sha256 = '0'.repeat(64))],
    ['day', (manifest) => (manifest.asOf = '2026-11-19')],
  ])('another %s, with all of its own files made again: is never served', async (_what, forge) => {
    using snapshots = twoSnapshots();
    const dir = snapshots.path(NEWER, '.');
    const manifest = await readManifest(dir);
    forge(manifest);
    writeOwnFiles(dir, manifest);
    await serving(snapshots.snapshotsDir, async (origin, log) => {
      expect((await origin.ask(SEARCH)).body._meta.snapshot).toBe(OLDER);
      const lines = log.lines().filter(({ event }) => event === 'snapshot-refused');
      const refused = { found: expect.stringMatching(/^identity [0-9a-f]{64}$/), expected: `that of ${NEWER}` };
      expect(lines).toEqual([expect.objectContaining({ version: NEWER, path: MANIFEST_FILE, ...refused })]);
    });
  });

  it('leaves trials unavailable, and says why, where no snapshot is sound', async () => {
    using snapshots = twoSnapshots();
    overwriteTitle(snapshots.path(NEWER, 'serving/documents-000.arrow'));
    noise(snapshots.path(OLDER, 'serving/ids.arrow'));
    await serving(snapshots.snapshotsDir, async (origin, log) => {
      const { status, headers, body } = await origin.ask(SEARCH);
      expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'TRIALS_UNAVAILABLE', '5']);
      const ready = await origin.ask('/readyz');
      expect([ready.status, ready.body.snapshot, ready.body.refused]).toEqual([
        503,
        null,
        `CURRENT names ${NEWER}, but its file serving/documents-000.arrow is not as published; the log says more`,
      ]);
      const { data } = (await origin.ask('/api/v1/status')).body;
      expect(data.components[1]).toMatchObject({ component: 'index', state: 'down' });
      expect(log.lines().find(({ version }) => version === NEWER)?.msg).toContain('restore the file, or publish again');
      const named = log.lines().flatMap(({ event, path }) => (event === 'snapshot-refused' ? [path] : []));
      expect(named).toEqual(['serving/documents-000.arrow', 'serving/ids.arrow']);
      expect((await origin.ask('/api/v1/claims')).status).toBe(200);
    });
  });

  it('is no matter where all is sound: nothing is refused, and the files were checked before the first answer', async () => {
    using snapshots = twoSnapshots();
    await serving(snapshots.snapshotsDir, async (origin) => {
      const search = await origin.ask(SEARCH);
      expect([search.body._meta.snapshot, search.body._meta.degraded]).toEqual([NEWER, false]);
      const { body } = await origin.ask('/readyz');
      expect(body).toMatchObject({ snapshot: NEWER, detail: 'serving', refused: null });
      expect(Date.parse(body.checkedAt)).not.toBeNaN();
      const { text } = await origin.ask('/metrics');
      expect(text).toMatch(/^trial_board_snapshot_refused 0$/m);
      expect(text).toMatch(/^trial_board_snapshot_checked_timestamp_seconds 1\d{9}/m);
    });
  });
});
