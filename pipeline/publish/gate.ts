import type { RegistryId } from '../../contract/ids.ts';
import type { Manifest, ManifestRegistry } from '../../snapshot-format/manifest.ts';

/** A registry itself never loses this share of its records at once; a broken fetch or a new reading rule may. */
const MAX_SHRINK_SHARE = 0.02;
/** Merges grow with the registries, far less than this share between two runs ... */
const MAX_MERGE_RISE_SHARE = 0.2;
/** ... unless there are so few that a handful is a large share. */
const MAX_MERGE_RISE = 50;
/** More unreadable records than this mean that the reader no longer fits the registry's format. */
const MAX_QUARANTINE_SHARE = 0.01;

export interface Breach {
  /** What `--accept` takes. */
  name: string;
  /** The numbers, in words. */
  detail: string;
}

/** The publication gate stopped a snapshot; nothing was published. */
export class PublicationRefused extends Error {
  readonly breaches: readonly Breach[];

  constructor(breaches: readonly Breach[]) {
    const lines = breaches.map(({ name, detail }) => `  ${name}: ${detail}; to publish anyway: --accept ${name}`);
    super(`not published; the served snapshot stays:\n${lines.join('\n')}`);
    this.name = 'PublicationRefused';
    this.breaches = breaches;
  }
}

/** The parts of a manifest that the gate checks. */
export type GateInput = Pick<Manifest, 'corpus' | 'registries' | 'counts'>;

/**
 * What is suspicious about a snapshot, compared with its parent if there is one. A sample corpus is not compared with
 * real data, but replacing real data with a sample is itself a breach.
 */
export function findBreaches(next: GateInput, parent: GateInput | null): Breach[] {
  const breaches = next.registries.flatMap(quarantineBreach);
  if (parent === null) return breaches;
  if (parent.corpus !== next.corpus) {
    if (next.corpus === 'sample')
      breaches.push({ name: 'sample', detail: 'the sample corpus would replace real registry data' });
    return breaches;
  }
  for (const before of parent.registries) {
    const after = next.registries.find((registry) => registry.registry === before.registry);
    breaches.push(...registryBreach(before, after));
  }
  const [was, is] = [parent.counts.inBoth, next.counts.inBoth];
  if (is - was > MAX_MERGE_RISE && is > was * (1 + MAX_MERGE_RISE_SHARE)) {
    breaches.push({ name: 'merge-jump', detail: `trials merged from both registries rise from ${was} to ${is}` });
  }
  return breaches;
}

/** Throws PublicationRefused unless each breach is accepted by name; returns the names that were needed, sorted. */
export function assertAccepted(breaches: readonly Breach[], accept: readonly string[]): string[] {
  const open = breaches.filter((breach) => !accept.includes(breach.name));
  if (open.length > 0) throw new PublicationRefused(open);
  return breaches.map((breach) => breach.name).sort();
}

function quarantineBreach(registry: ManifestRegistry): Breach[] {
  const [read, bad] = [registry.registrations ?? 0, registry.quarantined ?? 0];
  if (bad <= (read + bad) * MAX_QUARANTINE_SHARE) return [];
  return [{ name: `quarantine:${registry.registry}`, detail: `${bad} of ${read + bad} records could not be read` }];
}

function registryBreach(before: ManifestRegistry, after: ManifestRegistry | undefined): Breach[] {
  const registry: RegistryId = before.registry;
  if (before.state === 'unanswered') return [];
  if (after === undefined || after.state === 'unanswered') {
    return [{ name: `lost:${registry}`, detail: `it had ${before.registrations} registrations and is now unanswered` }];
  }
  const [was, is] = [before.registrations ?? 0, after.registrations ?? 0];
  if (was - is <= was * MAX_SHRINK_SHARE) return [];
  return [{ name: `shrink:${registry}`, detail: `registrations fall from ${was} to ${is}` }];
}
