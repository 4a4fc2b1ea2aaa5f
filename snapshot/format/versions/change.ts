import type { RegistryId } from '../../../contract/ids.ts';
import type { CHANGE_KINDS } from '../../../contract/vocabularies.ts';

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
