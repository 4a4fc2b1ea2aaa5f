import type { DiffKind } from '../../../contract/schemas/trials/snapshot-diff.ts';
import { type Html, html } from '../html.ts';
import { count, longDay } from '../kit/words.ts';

/** Bytes in readable form. */
export function size(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Records of a registry; a registry that did not answer has no number. */
export function records(registrations: number | null): string {
  return registrations === null ? 'no answer' : count(registrations);
}

/** A version as a link to its page. */
export function versionLinked(version: string): Html {
  return html`<a href="/snapshots/${version}"><code>${version}</code></a>`;
}

/** The page that compares two versions. */
export function diffAddress(from: string, to: string): string {
  return `/snapshots/diff?${new URLSearchParams({ from, to })}`;
}

const VERSION = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})\d{2}Z-([0-9a-f]{8})$/;

/** A version by the time in its name and the digits of its identity: 26 November 2026, 06:57 UTC (9142e44f). */
export function versionWords(version: string): string {
  const parts = VERSION.exec(version);
  if (parts === null) return version;
  const [, year, month, day, hour, minute, identity] = parts;
  return `${longDay(`${year}-${month}-${day}`)}, ${hour}:${minute} UTC (${identity})`;
}

/** In lists of both, where the name of a register needs no more words. */
export const REGISTRY_NAMES = { clinicaltrials_gov: 'ClinicalTrials.gov', isrctn: 'ISRCTN' } as const;

interface Changes {
  added: number;
  changed: number;
  removed: number;
  merged: number;
  split: number;
}

/** Differences from the parent, in words; only those that exist. */
export function changesInWords(changes: Changes | null): string {
  if (changes === null) return 'nothing to compare with';
  const parts = (['added', 'changed', 'removed', 'merged', 'split'] as const)
    .filter((name) => changes[name] > 0)
    .map((name) => `${count(changes[name])} ${name}`);
  return parts.length === 0 ? 'no trial differs' : parts.join(', ');
}

export const KIND_NAMES: Record<DiffKind, string> = {
  'trials-added': 'Trials added',
  'trials-removed': 'Trials removed',
  'trials-changed': 'Trials changed',
  'trials-merged': 'Trials merged into another',
  'trials-split': 'Trials split off another',
  'registrations-added': 'Registrations added',
  'registrations-removed': 'Registrations removed',
  'registrations-changed': 'Registrations changed',
  'links-gained': 'Links gained',
  'links-lost': 'Links lost',
  'links-changed': 'Links changed',
};
