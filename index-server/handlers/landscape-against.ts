import type { RegistryId } from '../../contract/ids.ts';
import type { LandscapeRecord } from '../../contract/schemas/trials/counts.ts';
import type { LandscapeAgainst } from '../../contract/schemas/trials/landscape-against.ts';
import type { Fail } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { registryStates } from '../../snapshot/format/registry-answer.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { isReadable, type KnownSnapshot } from '../../snapshot/format/versions/version-list.ts';
import { type Mixes, mixesOf } from '../search/counting/landscape.ts';
import type { CompiledFilters } from '../search/filters.ts';
import { matchingRows } from '../search/matching.ts';
import { rowsOf } from '../search/row-set.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { heldVersion, heldWords, reading } from './snapshots.ts';

type FailAgainst = Fail<'INVALID_PARAM' | 'NOT_FOUND' | 'TRIALS_UNAVAILABLE'>;

/** The filters of the request, read for another version. */
export type FiltersIn = (
  version: { image: SnapshotImage; manifest: Manifest },
  fail: Fail<'INVALID_PARAM'>,
) => Promise<CompiledFilters>;

interface Asked {
  against: string;
  registry?: readonly RegistryId[] | undefined;
  modality?: unknown;
}

const NO_MODALITY =
  'no filter modality beside it: the labels of a version that is not served would have to be inferred for every trial first';

/** The counts of a landscape's query in a held version, beside those of the served one, and the version's hash. */
export async function landscapeAgainst(
  query: Asked,
  now: { manifest: Manifest; counts: LandscapeRecord },
  services: IndexServices,
  filtersIn: FiltersIn,
  fail: FailAgainst,
): Promise<{ block: LandscapeAgainst; sha256: string }> {
  if (query.modality !== undefined) refuseParameter('against', NO_MODALITY, fail);
  const found = await comparedVersion(query.against, now.manifest, services, fail);
  const { manifest, version } = found;
  const sha256 = manifest.identity;
  const failThere: Fail<'INVALID_PARAM'> = (code, details) =>
    fail(code, { ...details, message: `The query cannot be asked of the version ${version}. ${details?.message}` });
  using lease = await reading(services.holder.acquireVersion(found), `The version ${version}`, fail);
  const { image } = lease;
  const counts = mixesOf(image, rowsOf(matchingRows(image, await filtersIn({ image, manifest }, failThere))));
  return { block: againstReply({ manifest, counts }, now, query.registry), sha256 };
}

async function comparedVersion(
  against: string,
  served: Manifest,
  services: IndexServices,
  fail: FailAgainst,
): Promise<KnownSnapshot> {
  if (against === 'previous') return previousVersion(served, services, fail);
  const found = await heldVersion(against, services, fail);
  if (found.manifest.corpus !== served.corpus) {
    refuseParameter('against', 'a version of the same corpus: synthetic and real trials are never compared', fail);
  }
  return found;
}

/** The newest version before the served one that is held, of the same corpus. */
async function previousVersion(
  { version, corpus }: Manifest,
  { versionList, holder }: IndexServices,
  fail: FailAgainst,
): Promise<KnownSnapshot> {
  const unreadable = (cause: unknown) =>
    fail('TRIALS_UNAVAILABLE', { message: 'The list of versions could not be read.', cause });
  const versions = await versionList.versions().catch(unreadable);
  for (const name of versions.filter((one) => one < version)) {
    const found = await versionList.find(name).catch(unreadable);
    if (found === null || !isReadable(found) || found.manifest.corpus !== corpus) continue;
    if ((await holder.trust.distrusts(found.manifest).catch(unreadable)) === null) return found;
  }
  const held = await heldWords(versionList, fail);
  return fail('NOT_FOUND', {
    message: `No version before ${version} is held, so there is none to compare with. ${held}`,
  });
}

type Mix = { value: string; trials: number }[];

interface Side {
  manifest: Manifest;
  counts: Mixes;
}

/** `registries` are those that the query is narrowed to. */
export function againstReply(before: Side, now: Side, registries: readonly RegistryId[] | undefined): LandscapeAgainst {
  const states = registryStates(now.manifest);
  const earlier = new Map(registryStates(before.manifest).map((one) => [one.registry, one]));
  const sides = states.flatMap(({ registry, state, dataDay }) => {
    const then = earlier.get(registry);
    if (then === undefined) return [];
    return [{ registry, before: { state: then.state, dataDay: then.dataDay }, now: { state, dataDay } }];
  });
  const isComparable = sides.every(
    (side) =>
      registries?.includes(side.registry) === false ||
      (side.before.state === 'unanswered') === (side.now.state === 'unanswered'),
  );
  const change = (then: number, since: number) => ({
    ...{ before: then, now: since, change: isComparable ? since - then : null },
  });
  const changes = <Values extends Mix>(of: (counts: Mixes) => Values) =>
    of(now.counts).map(({ value, trials }, place) => ({
      value: value as Values[number]['value'],
      ...change(of(before.counts)[place]!.trials, trials),
    }));
  const { version, createdAt, asOf, rules } = before.manifest;
  return {
    ...{ version, createdAt, asOf, sameRules: rules.sha256 === now.manifest.rules.sha256, registries: sides },
    trials: change(before.counts.trials, now.counts.trials),
    phases: changes(({ phases }) => phases),
    statuses: changes(({ statuses }) => statuses),
    recruitmentStatuses: changes(({ recruitmentStatuses }) => recruitmentStatuses),
    studyTypes: changes(({ studyTypes }) => studyTypes),
    sponsorClasses: changes(({ sponsorClasses }) => sponsorClasses),
  };
}
