import type { VerifierKey } from '../../proof/note.ts';
import type { Manifest } from './manifest.ts';
import { entryFault, type PublicationLog } from './publication-log.ts';
import { identityOf, statementOf, statementText } from './statement.ts';

/** Why no log can vouch for a manifest; null where its identity follows from it. */
export function identityFault(manifest: Manifest): string | null {
  const found = identityOf(statementText(statementOf(manifest)));
  return found === manifest.identity ? null : 'its identity does not follow from its manifest';
}

/** Why none of the keys vouches for what a manifest states, by a signed checkpoint of the log; null where one does. */
export function manifestFault(log: PublicationLog, manifest: Manifest, keys: readonly VerifierKey[]): string | null {
  return identityFault(manifest) ?? entryFault(log, manifest.identity, keys);
}
