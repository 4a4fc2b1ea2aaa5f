import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { identityOf, statementOf, statementText } from '../../snapshot/format/versions/statement.ts';
import { emptyManifest } from './manifest.ts';

/** A valid manifest of format 3; snapshots that begin with another `ledger` have another identity. */
export function boundManifest(version: string, ledger = '0'.repeat(64)): Manifest & { identity: string } {
  const code = { commit: null, changed: null, sources: '0'.repeat(64), node: 'v24', duckdb: 'v1' };
  const draft = {
    ...emptyManifest(version),
    formatVersion: 3 as const,
    bound: { parent: null, ledger, rules: [], code },
  };
  return { ...draft, identity: identityOf(statementText(statementOf(draft)!)) };
}
