import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import {
  CHANGED_VALUE_MAX_CHARACTERS,
  type ChangedTrial,
  SHOWN_CHANGES_MAX,
  type TrialChange,
} from '../../contract/schemas/trials/trial-change.ts';
import type { StoredChange } from '../../snapshot/format/versions/change.ts';
import { readListItem, resolveId } from '../search/hints/held-trial.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import type { HistoryEntry } from './history-store.ts';

/** Kinds whose values are whole rows of trials or registrations, far too long for a list. */
const WHOLE = /^(?:trial|registration)-(?:added|removed|merged|split)$/;

/** What an answer shows of one trial in one version. */
export function presentEntry(entry: HistoryEntry, image: SnapshotImage): ChangedTrial {
  const { version, publishedAt, parent } = entry;
  const stored = entry.changes.filter(({ kind }) => !kind.startsWith('signal-'));
  const canonicalId = stored.find((change) => change.canonicalId !== null)?.canonicalId ?? '';
  const changes = folded(stored);
  const holder = holderOf(image, canonicalId);
  const ofTrial = stored.find(({ kind, title }) => kind.startsWith('trial-') && title !== null);
  return {
    canonicalId,
    heldBy: holder?.canonicalId ?? null,
    title: (ofTrial ?? stored.find(({ title }) => title !== null))?.title ?? holder?.title ?? null,
    ...{ version, publishedAt, parent },
    kinds: [...new Set(stored.map(({ kind }) => kind))] as ChangedTrial['kinds'],
    changes: changes.slice(0, SHOWN_CHANGES_MAX),
    more: Math.max(0, changes.length - SHOWN_CHANGES_MAX),
  };
}

/** The one trial of the image that has the id or had it before. */
function holderOf(image: SnapshotImage, canonicalId: string): { canonicalId: string; title: string | null } | null {
  const found = resolveId(image, canonicalId);
  const row = found?.rows[0];
  if (found === null || row === undefined || !['canonical', 'alias', 'divided'].includes(found.standing)) return null;
  return readListItem(image, row);
}

/** Changes as they are shown: what a registration and its trial show alike stands there once, with the registration. */
function folded(stored: readonly StoredChange[]): TrialChange[] {
  const alike = ({ field, old, new: fresh }: StoredChange): string => JSON.stringify([field, old, fresh]);
  const ofKind = (kind: string): Set<string> => new Set(stored.filter((change) => change.kind === kind).map(alike));
  const [ofTrial, ofRegistrations] = [ofKind('trial-changed'), ofKind('registration-changed')];
  const origins = new Map(
    stored.flatMap(({ field, new: fresh }) =>
      field?.startsWith('origins.') ? [[field.slice(8), fresh] as const] : [],
    ),
  );
  return stored
    .filter((change) => !(change.kind === 'trial-changed' && ofRegistrations.has(alike(change))))
    .map((change) => ({
      ...shown(change),
      ...(change.registry === null && { registry: originOf(origins.get(change.field ?? '')) }),
      ...(change.kind === 'registration-changed' && ofTrial.has(alike(change)) && { ofTrial: true }),
    }));
}

function originOf(text: string | null | undefined): RegistryId | null {
  const stated = text == null ? null : (JSON.parse(text) as unknown);
  return REGISTRY_IDS.find((registry) => registry === stated) ?? null;
}

function shown({ kind, field, old, new: fresh, registry, registrationId, item, related }: StoredChange): TrialChange {
  const isWhole = WHOLE.test(kind);
  const [before, after] = [shownValue(isWhole ? null : old), shownValue(isWhole ? null : fresh)];
  return {
    kind: kind as TrialChange['kind'],
    field,
    old: before.value,
    new: after.value,
    ...((before.cut || after.cut) && { cut: true }),
    ...{ registry, registrationId, item, related },
  };
}

function shownValue(json: string | null): { value: TrialChange['old']; cut: boolean } {
  if (json === null) return { value: null, cut: false };
  if (json.length <= CHANGED_VALUE_MAX_CHARACTERS) return { value: JSON.parse(json), cut: false };
  const value: unknown = JSON.parse(json);
  const text = typeof value === 'string' ? value : json;
  return { value: `${text.slice(0, CHANGED_VALUE_MAX_CHARACTERS).toWellFormed()} …`, cut: true };
}
