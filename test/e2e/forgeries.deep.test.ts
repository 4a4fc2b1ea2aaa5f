import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openIndexServices } from '../../index-server/services.ts';
import { commitSnapshot } from '../../pipeline/publish/commit.ts';
import { completeLog } from '../../pipeline/publish/identity/log.ts';
import { verify } from '../../pipeline/publish/verify/verify.ts';
import { changeFiles, type Manifest, snapshotFiles } from '../../snapshot/format/versions/manifest.ts';
import { LOG_DIR } from '../../snapshot/format/versions/publication-log.ts';
import { signerKey } from '../../snapshot/proof/note.ts';
import { quietEffects } from '../builders/working-database.ts';
import { openBareOrigin } from '../support/bare-origin.ts';
import { configIn, runRecords } from '../support/dump-runs.ts';
import { folderOfFile } from '../support/folders.ts';
import { nct, study } from '../support/live-records.ts';
import { keptLog } from '../support/log-lines.ts';

/**
 * Five forgeries by somebody who may write to the snapshots, and who recomputes every hash, the identity and the version's name, as
 * publishing does. What the parts of a snapshot say of each other is found without a key; an invented past only by the log, and a log
 * that was forged as well only by a key.
 */

const OPERATOR = signerKey('example.org/trials', Buffer.alloc(32, 1));
const FORGER = signerKey('example.org/trials', Buffer.alloc(32, 2));

const root = folderOfFile();
const snapshots = join(root.path, 'honest', 'snapshots');
const trustedKeys = join(root.path, 'trusted.keys');
/** The first version, the second, and another one that follows the first as well as that. */
let first: Manifest;
let honest: Manifest;
let lie: Manifest;

const TITLES = ['Aspirin after a stroke', 'Iron in heart failure', 'Sleep in students'];
async function publishIn(folder: string, title: string, at: string): Promise<Manifest> {
  const studies = [title, ...TITLES.slice(1)].map((one, index) =>
    study({ nctId: nct(index), updated: '2026-11-10', title: one }),
  );
  const effects = quietEffects({ now: () => new Date(at) });
  const config = configIn(join(root.path, folder));
  return (await runRecords(join(root.path, folder), { studies }, {}, { config, effects })).published.manifest;
}

beforeAll(async () => {
  first = await publishIn('honest', TITLES[0]!, '2026-11-23T03:00:00Z');
  await cp(join(root.path, 'honest'), join(root.path, 'lie'), { recursive: true });
  honest = await publishIn('honest', 'Aspirin after a second stroke', '2026-11-24T03:00:00Z');
  lie = await publishIn('lie', 'Aspirin cures every stroke', '2026-11-24T03:00:00Z');
  await completeLog(snapshots, null, [OPERATOR], quietEffects());
  await writeFile(trustedKeys, `${OPERATOR.verifier.vkey}\n`);
});

type Forgery = (dir: string, honest: Manifest) => Promise<Manifest>;
interface Forged {
  snapshotsDir: string;
  version: string;
  identity?: string | undefined;
}

/** A copy of the snapshots in which the second version was replaced by a forged one that CURRENT names. */
async function forged(forgery: Forgery): Promise<Forged> {
  const snapshotsDir = join(root.path, `forged-${crypto.randomUUID()}`);
  await cp(snapshots, snapshotsDir, { recursive: true });
  const workshop = join(snapshotsDir, '..', `workshop-${crypto.randomUUID()}`);
  const dir = join(workshop, '.tmp-forgery');
  await cp(join(snapshotsDir, honest.version), dir, { recursive: true });
  for (const made of honest.descriptions ?? []) await rm(join(dir, made.path));
  const { version: _v, createdAt: _c, identity: _i, descriptions: _d, ...draft } = await forgery(dir, honest);
  const effects = quietEffects({ now: () => new Date('2026-11-24T03:00:00Z') });
  const { version, identity } = await commitSnapshot({ snapshotsDir: workshop, dir }, draft, true, effects);
  await rm(join(snapshotsDir, honest.version), { recursive: true });
  await cp(join(workshop, version), join(snapshotsDir, version), { recursive: true });
  await writeFile(join(snapshotsDir, 'CURRENT'), `${version}\n`);
  return { snapshotsDir, version, identity };
}

/** Puts files of the lie into the snapshot in `dir`. */
async function takeLies(dir: string, files: readonly { path: string }[]): Promise<void> {
  for (const { path } of files) await cp(join(root.path, 'lie', 'snapshots', lie.version, path), join(dir, path));
}

const otherTitleInImage: Forgery = async (dir, manifest) => {
  await takeLies(dir, lie.serving.files);
  return { ...manifest, serving: lie.serving };
};

const otherTitleInTables: Forgery = async (dir) => {
  await takeLies(dir, snapshotFiles({ ...lie, descriptions: [] }));
  return lie;
};

const inventedChanges: Forgery = async (dir, manifest) => {
  await takeLies(dir, changeFiles(lie));
  return { ...manifest, storedChanges: lie.storedChanges };
};

const withBound = (manifest: Manifest, bound: Partial<NonNullable<Manifest['bound']>>): Manifest => ({
  ...manifest,
  bound: { ...manifest.bound!, ...bound },
});
const inventedParent: Forgery = async (_dir, manifest) =>
  withBound({ ...manifest, parent: '20261122T030000Z-0badcafe' }, { parent: '0badcafe'.repeat(8) });

const inventedInputs: Forgery = async (_dir, manifest) => ({
  ...manifest,
  registries: manifest.registries.map((registry) => ({
    ...registry,
    inputs: registry.inputs.map((input) => ({ ...input, sha256: 'f'.repeat(64) })),
  })),
});

const IMAGE = /^serving\/\S+: is not what the tables give: it was changed/;
const CHANGES = /^changes\.parquet: root of the differences from \S+ is [0-9a-f]{64}, expected [0-9a-f]{64}$/;
const FORGERIES: [what: string, forgery: Forgery, named: RegExp | null][] = [
  ['another title in the image', otherTitleInImage, IMAGE],
  ['another title in the tables, and all that follows from it', otherTitleInTables, null],
  ['an invented parent', inventedParent, null],
  ['invented changes', inventedChanges, CHANGES],
  ['invented inputs', inventedInputs, null],
];

/** What `verify` names, as `file: message`; with the operator's key it does not build the image again. */
async function namedIn(snapshotsDir: string, version: string, trusted: boolean): Promise<string[]> {
  const options = trusted ? { trusted: [OPERATOR.verifier] } : ({ image: 'rebuilt' } as const);
  const { problems } = await verify(snapshotsDir, version, quietEffects(), options);
  return problems.map(({ file, message }) => `${file}: ${message}`);
}

/** Why a server does not serve the snapshot that CURRENT names; null where it does. */
async function refusedBy(snapshotsDir: string, keysFile: string | null): Promise<string | null> {
  await using index = await openIndexServices(snapshotsDir, keptLog().log, null, keysFile);
  await using origin = await openBareOrigin({ index });
  await origin.ask('/api/v1/trials/search?pageSize=1');
  return (await origin.ask('/readyz')).body.refused ?? null;
}

/** Makes the log anew, as if the forger had published all that is there. */
async function forgeLog({ snapshotsDir, ...forgery }: Forged): Promise<void> {
  await rm(join(snapshotsDir, LOG_DIR), { recursive: true });
  await rm(join(snapshotsDir, 'CURRENT'));
  for (const { identity = null } of [first, forgery])
    await completeLog(snapshotsDir, identity, [FORGER], quietEffects());
  await writeFile(join(snapshotsDir, 'CURRENT'), `${forgery.version}\n`);
}

it('the honest snapshot is intact, its image is what its tables give, and a server that insists on keys serves it', async () => {
  const options = { trusted: [OPERATOR.verifier], image: 'rebuilt' } as const;
  const { problems, image } = await verify(snapshots, honest.version, quietEffects(), options);
  expect([problems, image]).toEqual([[], { state: 'equal' }]);
  expect(await refusedBy(snapshots, trustedKeys)).toBeNull();
});

describe.each(FORGERIES)('%s', (_what, forgery, named) => {
  it('is named by `verify`, and no server serves it, without any key: the log does not hold it', async () => {
    const { snapshotsDir, version } = await forged(forgery);
    const found = await namedIn(snapshotsDir, version, false);
    expect(found).toContainEqual(
      expect.stringMatching(/^log\/identities: does not hold [0-9a-f]{64}, the identity of /),
    );
    if (named !== null) expect(found).toContainEqual(expect.stringMatching(named));
    expect(await refusedBy(snapshotsDir, null)).toBe(
      `CURRENT names ${version}, but nothing that is trusted here vouches for it: its identity is not in the log of publications`,
    );
  });

  it('with a log that the forger made and signed is refused where the operator’s key is trusted', async () => {
    const made = await forged(forgery);
    const { snapshotsDir, version } = made;
    await forgeLog(made);
    const found = await namedIn(snapshotsDir, version, false);
    if (named === null) expect(found).toEqual([]);
    else expect(found).toContainEqual(expect.stringMatching(named));
    expect(await namedIn(snapshotsDir, version, true)).toContainEqual(
      expect.stringMatching(/^log\/checkpoint: .*no known key has signed/),
    );
    expect(await refusedBy(snapshotsDir, trustedKeys)).toContain('no known key has signed');
  });
});
