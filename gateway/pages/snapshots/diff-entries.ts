import type { DiffKind } from '../../../contract/schemas/trials/snapshot-diff.ts';
import { type Html, html } from '../html.ts';
import { type Column, table } from '../kit/parts.ts';
import { code, joined } from '../kit/words.ts';
import { KIND_NAMES, REGISTRY_NAMES } from '../words/snapshots.ts';
import { named } from '../words/trials.ts';
import { type ChangedField, changesOf } from './diff-values.ts';

/** The entries of one list of a comparison. */

/** An entry of any list; the list determines its fields. */
export interface Entry {
  canonicalId?: string;
  title?: string | null;
  registrations?: string[];
  into?: string;
  causes?: { from: string; to: string; rule: string }[];
  outOf?: string[];
  registry?: keyof typeof REGISTRY_NAMES;
  id?: string;
  payloadChanged?: boolean;
  linkId?: string;
  from?: string;
  to?: string;
  kind?: string;
  rule?: string;
  verdict?: string;
  fields?: ChangedField[];
}

/** What became of an id in the version that is served. */
interface Holder {
  canonicalId: string | null;
  title: string | null;
  registrations: readonly string[];
}
type Holders = ReadonlyMap<string, Holder>;

/** Changed entries field by field, others in a table. */
export function entriesOf(kind: DiffKind, entries: readonly Entry[], holders: Holders): Html {
  if (kind.endsWith('-changed')) {
    return html`<ul class="cards">${entries.map((entry) => changed(entry, holders))}</ul>`;
  }
  return table(KIND_NAMES[kind], entries, columnsOf(kind, holders));
}

function columnsOf(kind: DiffKind, holders: Holders): Column<Entry>[] {
  if (kind.startsWith('links-')) {
    return [
      ['Registration', ({ from }) => heldLink(from!, holders)],
      ['and', ({ to }) => heldLink(to!, holders)],
      ['Evidence', linkWords],
    ];
  }
  const title: Column<Entry> = ['Title', (entry) => titleOf(entry, holders)];
  if (kind.startsWith('registrations-')) {
    return [
      ['Number', ({ id }) => heldLink(id!, holders)],
      title,
      ['Registry', ({ registry }) => REGISTRY_NAMES[registry!]],
    ];
  }
  const trial: Column<Entry> = ['Trial', (entry) => nameOf(entry, holders)];
  if (kind === 'trials-merged') {
    return [
      ['Former id', ({ canonicalId }) => code(canonicalId)],
      ['Now part of', ({ into }) => nameOf({ canonicalId: into! }, holders)],
      [
        'Joined by',
        ({ causes = [] }) =>
          joined(
            causes.map(({ from, to, rule }) => `${from} and ${to} by ${rule}`),
            '; ',
          ),
      ],
      title,
    ];
  }
  if (kind !== 'trials-split') return [trial, title];
  return [
    trial,
    title,
    [
      'Was part of',
      ({ outOf = [] }) =>
        joined(
          outOf.map((id) => nameOf({ canonicalId: id }, holders)),
          ' and ',
        ),
    ],
  ];
}

function changed(entry: Entry, holders: Holders): Html {
  const { fields = [], payloadChanged, linkId } = entry;
  const name = linkId === undefined ? nameOf(entry, holders) : html`${entry.from} and ${entry.to}`;
  const plain = linkId ?? numbersOf(entry, holders);
  return html`<li><h3>${name}${linkId === undefined && html` ${titleOf(entry, holders)}`}</h3>
${linkId !== undefined && html`<p>${linkWords(entry)}</p>`}
${payloadChanged === false && html`<p>${sameRecord(fields)}</p>`}
${changesOf(plain, fields)}</li>
`;
}

/** A record can become superseded by what another record says, with no change of its own. */
function sameRecord(fields: readonly ChangedField[]): Html {
  const [first, ...others] = fields;
  if (first?.field !== 'superseded_by' || others.length > 0) {
    return html`The registry's record is the same; it is read differently.`;
  }
  return first.new === null
    ? html`The registry's record is the same; it is no longer superseded.`
    : html`The registry's record is the same; it is now superseded by <bdi>${String(first.new)}</bdi>.`;
}

/** The numbers by which people know a trial or registration; its canonical id where none is known. */
function numbersOf({ id, canonicalId, registrations }: Entry, holders: Holders): string {
  if (id !== undefined) return id;
  const numbers = registrations ?? holders.get(canonicalId ?? '')?.registrations ?? [];
  return numbers.length === 0 ? (canonicalId ?? '') : numbers.join(' and ');
}

function nameOf(entry: Entry, holders: Holders): Html {
  const holder = holders.get(entry.id ?? entry.canonicalId ?? '')?.canonicalId ?? null;
  return linkTo(holder, numbersOf(entry, holders));
}

/** A number linked to the trial that holds it now. */
const heldLink = (id: string, holders: Holders): Html => linkTo(holders.get(id)?.canonicalId ?? null, id);

function linkTo(holder: string | null, words: string): Html {
  return holder === null
    ? html`${words} <span class="soft">no longer held</span>`
    : html`<a href="/trials/${holder}">${words}</a>`;
}

function titleOf({ title, id, canonicalId }: Entry, holders: Holders): Html {
  const shown = title ?? holders.get(id ?? canonicalId ?? '')?.title;
  return shown ? html`<bdi>${shown}</bdi>` : html`<span class="soft">without a title</span>`;
}

const linkWords = ({ kind, rule, verdict }: Entry): Html => html`${named(kind!)}, ${verdict} by the rule ${code(rule)}`;
