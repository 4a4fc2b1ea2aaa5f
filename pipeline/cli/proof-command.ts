import { type Command, InvalidArgumentError, Option } from 'commander';
import { readManifest, SnapshotFault, snapshotPath } from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { readLog } from '../../snapshot/format/versions/publication-log.ts';
import {
  earlierCheckpoint,
  NoProof,
  type ProvenSnapshot,
  proofBundle,
  provenTrial,
} from '../../snapshot/sql/proof-bundle.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { heldVersionOf, withContext } from './context.ts';

interface Flags {
  snapshot: string;
  since?: number;
  changes?: boolean;
  parent?: boolean;
}

function sizeOf(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1.');
  return Number(text);
}

/** Beside the proof, which is meant for a file. */
const NEXT = `next: keep the proof in a file and check it anywhere with \`node verify.mjs FILE\` (snapshot/proof/verify.mjs here, /verify.mjs at a service);
with --keys, --identity or --checkpoint, from another way than the file, it also proves where the file comes from (docs/proofs.md)
`;

/** The parent of a snapshot, to prove a trial in it. Throws NoProof where it is not kept. */
async function parentOf(snapshotsDir: string, { version, parent }: Manifest): Promise<ProvenSnapshot> {
  if (parent === null) throw new NoProof('parent', `The version ${version} has no parent. Ask without --parent.`);
  const directory = snapshotPath(snapshotsDir, parent);
  try {
    return { directory, manifest: await readManifest(directory) };
  } catch (error) {
    if (!(error instanceof SnapshotFault)) throw error;
    const message = `The parent ${parent} of the version ${version} is not kept here or cannot be read: ${error.message}. Ask without --parent.`;
    throw new NoProof('parent', message);
  }
}

/** The command that proves a trial (docs/proofs.md). */
export function addProofCommand(program: Command): void {
  program
    .command('prove')
    .description(
      'print the proof that a snapshot held a trial, with its registrations and links; node verify.mjs checks it anywhere',
    )
    .argument('<trial>', 'canonical id of the trial, or number of a registration of it')
    .addOption(new Option('--snapshot <version>', 'a version of `list`, or current').default('current'))
    .addOption(
      new Option(
        '--since <size>',
        'also prove that the log continues its checkpoint over so many identities',
      ).argParser(sizeOf),
    )
    .option('--changes', 'also prove by which changes the trial followed the parent of the snapshot')
    .option('--parent', 'also prove the trial in the parent, so that the changes can be held against both')
    .action((trial: string, { snapshot, since, changes = false, parent = false }: Flags) =>
      withContext(false, async ({ config: { snapshotsDir }, result }) => {
        const directory = snapshotPath(snapshotsDir, await heldVersionOf(snapshotsDir, snapshot));
        const proven = { directory, manifest: await readManifest(directory) };
        try {
          const log = await readLog(snapshotsDir);
          const asked = {
            log,
            since: since === undefined ? null : await earlierCheckpoint(snapshotsDir, log, since),
            changes,
            parent: parent ? await parentOf(snapshotsDir, proven.manifest) : null,
          };
          const bundle = await withScratchDatabase(async (db) =>
            proofBundle(db, proven, await provenTrial(db, proven, trial), asked),
          );
          result(bundle, JSON.stringify(bundle));
          process.stderr.write(NEXT);
        } catch (error) {
          if (!(error instanceof NoProof)) throw error;
          process.stderr.write(`no proof: ${error.message}\n`);
          process.exitCode = 1;
        }
      }),
    );
}
