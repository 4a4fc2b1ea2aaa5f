import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import { getSources } from '../../contract/operations/trials/registries.ts';
import { FILE_HONESTY } from '../../contract/standing-honesty.ts';
import type { FileAbout } from '../../server-kit/answer/file-about.ts';
import type { TakenRequest } from './taken.ts';

type Given = Pick<FileAbout, 'title' | 'rows' | 'address'> & Partial<FileAbout>;

/** What a file of reads says of itself: the served snapshot and its sources, or those of them that it counts, beside what is given. */
export async function aboutOfReads(
  { reads, applied, ignored }: TakenRequest,
  given: Given,
  counts: readonly RegistryId[] = REGISTRY_IDS,
): Promise<FileAbout> {
  const { data, meta } = await reads.read(getSources);
  const { header: _header, ...query } = applied;
  return {
    ...{ snapshot: data.snapshot.version, asOf: data.snapshot.asOf, corpus: data.snapshot.corpus },
    identity: meta.identity ?? null,
    ...{ query, readAs: [], ignored, honesty: FILE_HONESTY, columns: null },
    sources: data.sources
      .filter(({ registry }) => counts.includes(registry))
      .map(({ name, publisher, licence, licenceUrl, dataDay, registrations }) => ({
        ...{ name, publisher, licence, licenceUrl, dataDay, registrations },
      })),
    held: (meta.provenance?.held ?? []) as string[],
    ...given,
  };
}

/** The headers of a CSV file. */
export function csvHeaders(fileName: string, location: string): Record<string, string> {
  return {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${fileName}"`,
    'content-location': location,
  };
}
