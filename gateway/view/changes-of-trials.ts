import { cutName } from './cut-text.ts';
import { isObject, isStated, type JsonObject, listOf, objectOf, objectsOf, stated, textOf, textsOf } from './json.ts';
import { asField } from './one-line.ts';

/**
 * Concise changes of trials: what a follower acts on as old and new value, everything else by name. A field has the name that
 * the whole answer and the dictionary have for it.
 */

/** Fields whose values are shown. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['status', 'recruitment_status', 'why_stopped', 'enrollment_count', 'enrollment_type'],
  ...['start_date', 'primary_completion_date', 'completion_date', 'first_posted_date', 'results_posted_date'],
  ...['results_available', 'sponsor_name', 'sponsor_class', 'ctgov_id', 'isrctn_id'],
]);
/** Fields that only registrations have, so that no merged value can stand for them. */
const OF_REGISTRATIONS: ReadonlySet<string> = new Set(['why_stopped']);
/** How the index came by a value, or a value that follows from another one. */
const BOOKKEEPING =
  /^(payload_sha256|source_version|retrieved_at|url|registries|founding_\w+|aliases|origins\..*|\w+_(raw|basis|day))$/;

const TITLE_MAX_CHARACTERS = 80;
const VALUE_MAX_CHARACTERS = 60;
const NAMES_SHOWN = 6;
const LINES_SHOWN = 4;

/** One trial in one version. `heldBy` stands where another trial has the id now, null where none has. */
export function changedTrial(entry: JsonObject): JsonObject {
  const { canonicalId, heldBy, version, kinds, more } = entry;
  const changes = objectsOf(entry.changes);
  const shown = stated({
    canonicalId,
    title: cutTitle(entry.title),
    version,
    kinds,
    changed: changedFields(changes),
    alsoChanged: firstOf(otherNames(changes), NAMES_SHOWN),
    came: firstOf(
      changes.flatMap((change) => lineOf(change) ?? []),
      LINES_SHOWN,
    ),
    more: more === 0 ? undefined : more,
  });
  return heldBy === canonicalId ? shown : { ...shown, heldBy };
}

/** As one line of text. */
export function changeLine(trial: JsonObject): string {
  const { canonicalId, version, title, heldBy, more } = trial;
  const changed = Object.entries(objectOf(trial.changed)).map(([field, pair]) => {
    const [old, fresh] = listOf(pair).map((value) => (value === null ? 'none' : String(value)));
    return `${field} ${old} -> ${fresh}`;
  });
  return [
    `${canonicalId} ${version}`,
    title,
    textsOf(trial.kinds).join(', '),
    changed.join('; '),
    textsOf(trial.alsoChanged).length > 0 ? `also ${textsOf(trial.alsoChanged).join(', ')}` : null,
    textsOf(trial.came).join('; '),
    isStated(more) ? `${more} more changes` : null,
    heldBy === undefined ? null : heldBy === null ? 'no longer held' : `now held by ${heldBy}`,
  ]
    .filter((part) => isStated(part) && part !== '')
    .map((part) => asField(String(part)))
    .join(' | ');
}

function cutTitle(title: unknown): string | undefined {
  const text = textOf(title);
  return text && cutName(text, TITLE_MAX_CHARACTERS);
}

function firstOf(all: readonly string[], most: number): string[] {
  const each = [...new Set(all)];
  return each.length > most ? [...each.slice(0, most), `+${each.length - most} more`] : each;
}

/** Whether the trial itself shows the change, or no trial can. */
function isOfTrial({ kind, field, ofTrial }: JsonObject): boolean {
  return kind === 'trial-changed' || ofTrial === true || OF_REGISTRATIONS.has(String(field));
}

function changedFields(changes: readonly JsonObject[]): JsonObject | undefined {
  const found = changes.flatMap((change) => {
    const field = textOf(change.field);
    if (field === undefined || !isFieldChange(change) || !SHOWN.has(field) || !isOfTrial(change)) return [];
    return [[field, pairOf(change)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function isFieldChange({ kind }: JsonObject): boolean {
  return kind === 'trial-changed' || kind === 'registration-changed';
}

/** Names of the other fields; beside one whose merged value stayed, the registry whose value changed. */
function otherNames(changes: readonly JsonObject[]): string[] {
  return changes.flatMap((change) => {
    const field = textOf(change.field);
    if (field === undefined || !isFieldChange(change) || BOOKKEEPING.test(field)) return [];
    if (!SHOWN.has(field)) return [field];
    return isOfTrial(change) ? [] : [`${field} (${change.registry})`];
  });
}

/** Old and new value. `~` marks an expected day where that is what changed. */
function pairOf({ old, new: fresh }: JsonObject): unknown[] {
  const types = [old, fresh].map((value) => objectOf(value).type);
  const marks = isObject(old) && isObject(fresh) && types[0] !== types[1];
  return [old, fresh].map((value) => shownValue(value, marks));
}

const MONTH_CHARACTERS = 7;

function shownValue(value: unknown, marksExpected: boolean): unknown {
  if (typeof value === 'string') return cutName(value, VALUE_MAX_CHARACTERS);
  if (!isObject(value)) return value;
  const { date, precision, type } = value;
  const text = precision === 'month' ? String(date).slice(0, MONTH_CHARACTERS) : String(date);
  return marksExpected && type === 'estimated' ? `~${text}` : text;
}

/** What joined or left a trial, in a few words; null for a change of a field, and for what its kind says by itself. */
function lineOf({ kind, field, old, new: fresh, related, registrationId }: JsonObject): string | null {
  const others = textsOf(related).join(', ');
  const value = fresh ?? old;
  switch (kind) {
    case 'trial-merged':
      return `merged into ${others}`;
    case 'trial-split':
      return `split out of ${others}`;
    case 'trial-changed': {
      const joined = field === 'aliases' ? textsOf(fresh).filter((id) => !listOf(old).includes(id)) : [];
      return joined.length === 0 ? null : `has the former ids ${joined.join(', ')}`;
    }
    case 'registration-added':
    case 'registration-removed':
      return `${words(kind)} ${registrationId}`;
    case 'identifier-gained':
    case 'identifier-lost':
      return `${words(kind)} ${told(value, ['type', 'value'])}`;
    case 'publication-gained':
    case 'publication-lost':
      return `${words(kind)} ${publicationOf(value)}`;
    case 'link-gained':
    case 'link-lost':
    case 'link-changed':
      return `${words(kind)} ${told(value, ['from_id', 'to_id', 'rule', 'verdict'])}`;
    default:
      return null;
  }
}

function words(kind: string): string {
  return kind.replace('-', ' ');
}

function publicationOf(value: unknown): string {
  const pmid = memberOf(value, 'pmid');
  const doi = memberOf(value, 'doi');
  if (pmid !== undefined) return `PMID ${pmid}`;
  return doi === undefined ? cutName(memberOf(value, 'citation') ?? '', VALUE_MAX_CHARACTERS) : `doi ${doi}`;
}

function told(value: unknown, names: readonly string[]): string {
  return names.flatMap((name) => memberOf(value, name) ?? []).join(' ');
}

/** A member of a row; of a row that was cut to its beginning, as text, where it stands in that. */
function memberOf(value: unknown, name: string): string | undefined {
  if (isObject(value)) return textOf(value[name]);
  return typeof value === 'string' ? new RegExp(`"${name}":"([^"\\\\]*)`).exec(value)?.[1] : undefined;
}
