import type { DiffKind } from '../../../contract/schemas/snapshot-diff.ts';
import { count } from '../kit/words.ts';

/** Bytes in readable form. */
export function size(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Records of a registry; a registry that did not answer has no number. */
export function records(registrations: number | null): string {
  return registrations === null ? 'no answer' : count(registrations);
}

/** The page that compares two versions. */
export function diffAddress(from: string, to: string): string {
  return `/snapshots/diff?${new URLSearchParams({ from, to })}`;
}

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

/** Characters shown of a value; the API call returns all. */
const SHOWN_CHARACTERS = 160;

/** A table value as text of bounded length; says so if there is none. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'nothing stated';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '' || text === '[]') return 'empty';
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}… (${count(text.length)} characters in all)`;
}
