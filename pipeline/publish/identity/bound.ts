import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVING_DIR, TERMINOLOGY_FILE } from '../../../snapshot/format/serving.ts';
import { parseManifest, SnapshotFault, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { MANIFEST_FILE, type Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { removedPath } from '../../../snapshot/format/versions/removed.ts';
import { identityOf, statementOf, statementText } from '../../../snapshot/format/versions/statement.ts';
import { RootOfLeaves } from '../../../snapshot/proof/merkle.ts';
import { programCode, rulesReadByName } from './program.ts';

export type Bound = Manifest['bound'];

/** What earlier stages and the operator tell of what the identity binds. */
export interface BoundInputs {
  /** Reviewed files that earlier stages applied, beside the rules of dedup. */
  applied?: Bound['rules'];
  /** Root of the canonical ids that dedup began with; by default the parent's. */
  ledger?: string;
  /** Commit that the operator names, for a program outside a checkout. */
  codeCommit?: string | null;
  /** By default the program that runs. */
  code?: Bound['code'];
}

/** The root of a ledger without rows. */
const EMPTY_LEDGER = new RootOfLeaves().root().toString('hex');

/** What the identity of a new snapshot binds beside the rest of its manifest. */
export async function boundOf(
  { applied = [], ledger, codeCommit = null, code }: BoundInputs,
  made: { snapshotsDir: string; parent: Manifest | null; rules: Manifest['rules']; serving: Manifest['serving'] },
): Promise<Bound> {
  const { snapshotsDir, parent, rules, serving } = made;
  const dedup = { name: 'dedup', sha256: rules.sha256 };
  return {
    parent: parent === null ? null : await boundHashOf(snapshotsDir, parent.version),
    ledger: ledger ?? parent?.tables.canonical_ids.root ?? EMPTY_LEDGER,
    rules: byName([dedup, ...terminologyOf(serving), ...(await rulesReadByName()), ...applied]),
    code: code ?? (await programCode(codeCommit)),
  };
}

/** The terminology of an image is one of its files. */
function terminologyOf({ files }: Manifest['serving']): Bound['rules'] {
  const file = files.find(({ path }) => path === `${SERVING_DIR}/${TERMINOLOGY_FILE}`);
  return file === undefined ? [] : [{ name: 'terminology', sha256: file.sha256 }];
}

function byName(rules: Bound['rules']): Bound['rules'] {
  return rules.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * What binds a version as a parent: the identity that follows from its manifest. Null where there is no usable manifest, which gc keeps of the
 * versions that it removes.
 */
export async function boundHashOf(snapshotsDir: string, version: string): Promise<string | null> {
  for (const dir of [snapshotPath(snapshotsDir, version), removedPath(snapshotsDir, version)]) {
    const path = join(dir, MANIFEST_FILE);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) continue;
    try {
      return identityOf(statementText(statementOf(parseManifest(text, path))));
    } catch (error) {
      if (error instanceof SnapshotFault) return null;
      throw error;
    }
  }
  return null;
}
