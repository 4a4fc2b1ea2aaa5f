import type { RegistryId } from '../contract/ids.ts';

/** What a row of `changes.parquet` tells. `merged` is a trial that became an alias, `split` a new one out of another. */
export const CHANGE_KINDS = [
  'identifier-gained',
  'identifier-lost',
  'link-changed',
  'link-gained',
  'link-lost',
  'publication-gained',
  'publication-lost',
  'registration-added',
  'registration-changed',
  'registration-removed',
  'signal-gained',
  'signal-lost',
  'trial-added',
  'trial-changed',
  'trial-merged',
  'trial-removed',
  'trial-split',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One difference between a snapshot and its parent. */
export interface StoredChange {
  /** The trial that it belongs to: in the snapshot, or in the parent where it is gone; null for feed items. */
  canonicalId: string | null;
  kind: ChangeKind;
  registry: RegistryId | null;
  registrationId: string | null;
  /** Id of the link or feed item; else null. */
  item: string | null;
  /** The column that differs, or the registry's field that states an identifier; null where old and new are whole rows. */
  field: string | null;
  /** JSON by RFC 8785 of the value before; null where there was none. */
  old: string | null;
  /** JSON by RFC 8785 of the value after; null where there is none. */
  new: string | null;
  /** Title of the trial or registration after the change, or before its removal. */
  title: string | null;
  /** Other trials concerned: what it merged into, what it was split out of, the other end of a link. */
  related: string[];
}

/** In a snapshot with a parent, and in the folder of a removed one. */
export const CHANGES_FILE = 'changes.parquet';
