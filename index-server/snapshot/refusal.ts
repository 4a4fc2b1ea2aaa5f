import { CurrentFault } from '../../snapshot/format/versions/current.ts';
import { type ServedManifest, SnapshotDistrust } from './publication-trust.ts';
import { SnapshotDamage } from './snapshot-check.ts';

/** Why the snapshot that CURRENT names is not served, without what only an operator may see. */
export function refusalOf({ version, error }: { version: string | null; error: Error }): string {
  if (error instanceof CurrentFault) {
    const { reason, newestSound } = error;
    return newestSound === null
      ? `${reason}, and no version is sound`
      : `${reason}; the newest sound version is ${newestSound}, and \`pipeline current ${newestSound}\` makes it the served one`;
  }
  if (version === null) return 'CURRENT cannot be read; the log says why';
  if (error instanceof SnapshotDistrust)
    return `CURRENT names ${version}, but nothing that is trusted here vouches for it: ${error.reason}`;
  const isDamage = error instanceof SnapshotDamage;
  const what = isDamage ? `its file ${error.damage.path} is not as published` : 'it cannot be opened';
  return `CURRENT names ${version}, but ${what}; the log says more`;
}

/** A manifest as answers show it while another snapshot is served than the one that CURRENT names. */
export function degradedBy(manifest: ServedManifest, reason: string): ServedManifest {
  const why = `${manifest.version} is served in place of another snapshot: ${reason}`;
  const { registries, feeds } = manifest;
  return {
    ...manifest,
    registries: registries.map((registry) => ({
      ...registry,
      degraded: true,
      degradedReason: joined(why, registry.degradedReason),
    })),
    ...(feeds && { feeds: feeds.map((feed) => ({ ...feed, stale: true, reason: joined(why, feed.reason) })) }),
  };
}

function joined(why: string, before: string | null): string {
  return before === null ? why : `${why}; ${before}`;
}
