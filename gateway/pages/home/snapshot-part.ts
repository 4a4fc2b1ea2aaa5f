import type { OperationOutput } from '../../../contract/operation.ts';
import type { getSnapshots } from '../../../contract/operations/snapshots.ts';
import { pageOf } from '../../../contract/pages.ts';
import type { DrawnPictures } from '../drawn-pictures.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { facts, instant } from '../parts.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { growthPictures } from '../snapshots/growth.ts';

type Versions = Answered<OperationOutput<typeof getSnapshots>>;

/** The snapshot being served, and how its versions grew; a single version has no growth. */
export function snapshotPart(versions: Versions | FailedRead, pictures: DrawnPictures): Html {
  if (versions instanceof FailedRead) return failedPart('The list of versions', versions);
  const { snapshots } = versions.data;
  const served = snapshots.find(({ current }) => current);
  return html`<p>All figures about trials are of one version, which is never changed after it was published.</p>
${served && facts(servedFacts(served))}
${snapshots.length > 1 && growthPictures(snapshots, pictures)}
<p><a href="${pageOf('page-snapshots').path}">Every version</a>, what changed in it, and how to check it</p>`;
}

function servedFacts({ version, publishedAt, asOf, contentHash }: Versions['data']['snapshots'][number]) {
  return [
    ['Served now', html`<a href="${pageOf('page-snapshots').path}/${version}">${version}</a>`],
    ['Published', instant(publishedAt)],
    ['As of', instant(asOf)],
    ['Content hash', html`<code>${contentHash}</code>`],
  ] as const;
}
