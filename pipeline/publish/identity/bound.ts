import { SERVING_DIR, TERMINOLOGY_FILE } from '../../../snapshot/format/serving.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
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
  made: { parent: Manifest | null; rules: Manifest['rules']; serving: Manifest['serving'] },
): Promise<Bound> {
  const { parent, rules, serving } = made;
  const dedup = { name: 'dedup', sha256: rules.sha256 };
  return {
    parent: parent?.identity ?? null,
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
