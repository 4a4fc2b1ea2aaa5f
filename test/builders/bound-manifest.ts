import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { identityOf, statementOf, statementText } from '../../snapshot/format/versions/statement.ts';
import { emptyManifest } from './manifest.ts';

/** A manifest whose identity follows from it; snapshots that begin with another `ledger` have another identity. */
export function boundManifest(version: string, ledger = '0'.repeat(64)): Manifest {
  const empty = emptyManifest(version);
  const draft = { ...empty, bound: { ...empty.bound, ledger } };
  return { ...draft, identity: identityOf(statementText(statementOf(draft))) };
}
