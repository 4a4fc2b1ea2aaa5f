import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openIndexServices } from '../../index-server/services.ts';
import { completeLog } from '../../pipeline/publish/identity/log.ts';
import { readManifest } from '../../snapshot/format/versions/current.ts';
import { MANIFEST_FILE } from '../../snapshot/format/versions/own-files.ts';
import { signerKey } from '../../snapshot/proof/note.ts';
import { writeOwnFiles } from '../builders/manifest.ts';
import { quietEffects } from '../builders/working-database.ts';
import { type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { keptLog } from '../support/log-lines.ts';
import { NEWER, OLDER, twoSnapshots } from '../support/snapshots/two-snapshots.ts';

const key = signerKey('example.org/trials', Buffer.alloc(32, 1));
const stranger = signerKey('example.org/trials', Buffer.alloc(32, 2));
const SEARCH = '/api/v1/trials/search?pageSize=1';

let snapshots: ReturnType<typeof twoSnapshots>;
let trusted: string;
beforeEach(async () => {
  snapshots = twoSnapshots();
  trusted = join(snapshots.snapshotsDir, 'trusted.keys');
  await writeFile(trusted, `${key.verifier.vkey}\n`);
});
afterEach(() => snapshots[Symbol.dispose]());

const sign = (by: (typeof key)[], identity: string | null = null) =>
  completeLog(snapshots.snapshotsDir, identity, by, quietEffects());
const at = (name: string): string => join(snapshots.snapshotsDir, 'log', name);

async function serving(
  trustedKeys: string | null,
  look: (origin: BareOrigin, log: ReturnType<typeof keptLog>) => Promise<void>,
): Promise<void> {
  const log = keptLog();
  await using index = await openIndexServices(snapshots.snapshotsDir, log.log, null, trustedKeys);
  await using origin = await openBareOrigin({ index });
  await look(origin, log);
}

/** Signs a log of another identity alone, with the files in `log` as `then` leaves them. */
async function signAnother(then: () => Promise<void> = async () => {}): Promise<void> {
  await rm(join(snapshots.snapshotsDir, 'CURRENT'));
  await sign([key], '1'.repeat(64));
  await then();
  await writeFile(join(snapshots.snapshotsDir, 'CURRENT'), `${NEWER}\n`);
}

/** Its own identities, of a log that is then removed. */
async function ownIdentities(): Promise<string> {
  await sign([key]);
  const own = await readFile(at('identities'), 'utf8');
  await rm(at('.'), { recursive: true });
  return own;
}

/** Why the snapshot that CURRENT names is refused, as the status tells; null where it is served. */
async function refusedBy(origin: BareOrigin): Promise<string | null> {
  const { status, body } = await origin.ask(SEARCH);
  if (status === 200) return null;
  expect([status, body.error.code]).toEqual([503, 'TRIALS_UNAVAILABLE']);
  return (await origin.ask('/readyz')).body.refused;
}

const REFUSED = `CURRENT names ${NEWER}, but nothing that is trusted here vouches for it: no key of TRUSTED_KEYS_FILE does: `;

describe('a server that insists on keys', () => {
  it('serves a snapshot under a checkpoint that one of them signed, and says that it is signed', async () => {
    await sign([stranger, key]);
    await serving(trusted, async (origin) => {
      const { status, body } = await origin.ask(SEARCH);
      expect([status, body._meta.snapshot, body._meta.signed]).toEqual([200, NEWER, true]);
      const { data } = (await origin.ask('/api/v1/snapshots')).body;
      expect(data.snapshots.map(({ signed }: { signed: boolean }) => signed)).toEqual([true, true]);
    });
  });

  it.each([
    ['without a log', async () => undefined, 'its identity is not in the log of publications'],
    ['unsigned', () => sign([]), 'of the checkpoint of the log: it has no signature'],
    [
      'signed by a stranger alone',
      () => sign([stranger]),
      'of the checkpoint of the log: no known key has signed the note',
    ],
    ['not in the log', () => signAnother(), 'its identity is not in the log of publications'],
    [
      'in the log, under no checkpoint yet',
      async () => {
        const own = await ownIdentities();
        await signAnother(() => appendFile(at('identities'), own));
      },
      'its identity is under no checkpoint of the log yet',
    ],
    [
      'slipped into a log that was signed',
      async () => {
        const own = await ownIdentities();
        await signAnother(() => writeFile(at('identities'), own));
      },
      /^the checkpoint of the log has the root [0-9a-f]{64}, but the first 1 identities of the log give [0-9a-f]{64}: one of them was changed, moved or left out$/,
    ],
  ])(
    'refuses one %s before it serves anything of it, and the log and the status say why',
    async (_what, arrange, reason) => {
      await arrange();
      await serving(trusted, async (origin, log) => {
        const refused = await refusedBy(origin);
        expect(refused?.startsWith(REFUSED)).toBe(true);
        expect(refused?.slice(REFUSED.length)).toMatch(typeof reason === 'string' ? new RegExp(`^${reason}$`) : reason);
        const lines = log.lines().filter(({ event }) => event === 'snapshot-refused');
        expect(lines.map(({ version }) => version)).toEqual([NEWER, OLDER]);
        expect(lines[0]!.msg).toContain('publish with a key whose public key is in TRUSTED_KEYS_FILE');
        expect((lines[0]!.err as Error).message).toContain(refused!.slice(REFUSED.length));
      });
    },
  );

  it('serves nothing of an older version that nobody signed, however it is asked for', async () => {
    await sign([key]);
    const dir = snapshots.path(OLDER, '.');
    writeOwnFiles(dir, { ...(await readManifest(dir)), asOf: '2020-01-01' });
    await serving(trusted, async (origin) => {
      const { data } = (await origin.ask('/api/v1/snapshots')).body;
      expect(data.snapshots.map(({ signed }: { signed: boolean }) => signed)).toEqual([true, false]);
      const said = `The version ${OLDER} is not served: nothing that is trusted here vouches for it (no key of TRUSTED_KEYS_FILE does: its identity is not in the log of publications).`;
      for (const path of [
        `/api/v1/snapshots/${OLDER}/diff/${NEWER}`,
        `/api/v1/trials/landscape?against=${OLDER}`,
        `/snapshots/${OLDER}/files/${MANIFEST_FILE}`,
        `/snapshots/${OLDER}/files/trials.parquet`,
      ]) {
        const { status, body } = await origin.ask(path);
        expect([path, status, body.error.code, body.error.message]).toEqual([path, 503, 'TRIALS_UNAVAILABLE', said]);
      }
      for (const path of [`/trials.csv?snapshot=${OLDER}`, `/results-gap.csv?snapshot=${OLDER}`]) {
        expect([path, (await origin.ask(path)).status]).toEqual([path, 503]);
      }
      const previous = await origin.ask('/api/v1/trials/landscape?against=previous');
      expect([previous.status, previous.body.error.code]).toEqual([404, 'NOT_FOUND']);
    });
    await serving(null, async (origin) => {
      expect((await origin.ask(`/results-gap.csv?snapshot=${OLDER}`)).status).toBe(503);
    });
  });

  it('takes a snapshot that is signed later without a restart', async () => {
    await sign([stranger]);
    const log = keptLog();
    await using index = await openIndexServices(snapshots.snapshotsDir, log.log, null, trusted);
    expect(index.holder.version).toBeNull();
    await sign([key]);
    await index.holder.check();
    expect(index.holder.version).toBe(NEWER);
  });

  it('does not start with a file of keys that cannot be used', async () => {
    await writeFile(trusted, 'no key\n');
    await expect(openIndexServices(snapshots.snapshotsDir, keptLog().log, null, trusted)).rejects.toThrow(
      'TRUSTED_KEYS_FILE',
    );
  });
});

describe('a server that insists on none', () => {
  it('serves an unsigned snapshot and says so, and notices a signature without a restart', async () => {
    await sign([]);
    const log = keptLog();
    await using index = await openIndexServices(snapshots.snapshotsDir, log.log);
    await using origin = await openBareOrigin({ index });
    expect((await origin.ask(SEARCH)).body._meta.signed).toBe(false);
    await sign([key]);
    await index.holder.check();
    expect((await origin.ask(SEARCH)).body._meta.signed).toBe(true);
  });

  it('is not taken down by a log that cannot be read', async () => {
    await mkdir(at('identities'), { recursive: true });
    await serving(null, async (origin) => {
      const { status, body } = await origin.ask(SEARCH);
      expect([status, body._meta.signed]).toEqual([200, false]);
    });
  });
});

describe('the operations of the log', () => {
  it('give its checkpoint, keys and identities, and the files byte by byte', async () => {
    await signAnother();
    await sign([key]);
    const own = (await readFile(at('identities'), 'utf8')).split('\n')[1]!;
    const checkpoint = await readFile(at('checkpoint'), 'utf8');
    await serving(null, async (origin) => {
      const { data, _meta } = (await origin.ask(`/api/v1/snapshots/log?identity=${own}&from=1`)).body;
      expect(data).toEqual({
        origin: 'example.org/trials',
        size: 2,
        root: Buffer.from(checkpoint.split('\n')[2]!, 'base64').toString('hex'),
        signed: true,
        signedBy: [`example.org/trials+${key.verifier.id}`],
        checkpoint,
        keys: [key.verifier.vkey],
        identities: [
          { index: 0, identity: '1'.repeat(64), version: null, state: 'absent' },
          { index: 1, identity: own, version: NEWER, state: 'held' },
        ],
        inclusion: { index: 1, path: ['4635e1fa62a599a7880a8d14a56f720a1d40f6e5448ab5a5e39bedc8bd87fa8e'] },
        consistency: { from: 1, to: 2, path: [expect.stringMatching(/^[0-9a-f]{64}$/)] },
      });
      expect(_meta.pagination).toEqual({
        page: 1,
        pageSize: 100,
        totalItems: 2,
        returned: 2,
        hasMore: false,
        nextUrl: null,
      });
      for (const [address, file] of [
        ['checkpoint', 'checkpoint'],
        ['checkpoint/1', 'checkpoints/1'],
        ['identities', 'identities'],
        ['keys', 'keys'],
      ] as const) {
        const { status, text, headers } = await origin.ask(`/snapshots/log/${address}`);
        expect([status, headers['content-type']], address).toEqual([200, 'text/plain; charset=utf-8']);
        expect(text, address).toBe(await readFile(at(file), 'utf8'));
      }
    });
  });
});
