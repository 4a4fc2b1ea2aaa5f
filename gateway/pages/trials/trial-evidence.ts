import type { TrialRecord } from '../../../contract/schemas/trial.ts';
import { type Html, html } from '../html.ts';
import { table } from '../parts.ts';
import type { DedupRules } from './dedup-rules.ts';
import { cut, named, trialAddress } from './words.ts';

/** Rows of a table; the call at the end of the page returns all. */
const ROWS_MAX = 40;
const RAW_MAX_CHARACTERS = 300;

type Link = TrialRecord['evidence'][number];
type Identifier = TrialRecord['identifiers'][number];
type Relation = TrialRecord['relations'][number];

/** Every link of the trial, accepted or rejected, with its evidence and the rules that decided. */
export function evidence(trial: TrialRecord, rules: DedupRules | null): Html {
  const { registrations } = trial;
  const links = trial.evidence;
  const own = new Set(registrations.map(({ id }) => id));
  const place = (id: string): Html =>
    own.has(id) ? html`<code>${id}</code>` : html`<a href="${trialAddress(id)}"><code>${id}</code></a>`;
  return html`<section aria-labelledby="evidence"><h2 id="evidence">${registrations.length > 1 ? 'Why these registrations are one trial' : 'Links to other registrations'}</h2>
<p>Registrations are joined by identifiers that the registries themselves state, and by nothing else: no titles, no dates, no literature.</p>
${
  links.length === 0
    ? html`<p>No other held registration is linked to this one.</p>`
    : html`${table(
        'Links',
        [
          { head: 'Verdict', cell: verdict },
          { head: 'Link', cell: ({ linkId }) => html`<code id="${linkId}">${linkId}</code>` },
          { head: 'From, to', cell: ({ from, to }) => html`${place(from)} → ${place(to)}` },
          {
            head: 'Rule',
            cell: ({ rule, kind }) => html`<code>${rule}</code><br><span class="soft">${named(kind)}</span>`,
          },
          { head: 'Field and raw value', cell: grounds },
          { head: 'Read as', cell: ({ identifier: { type, value } }) => html`${type} <code>${value}</code>` },
          { head: 'Direction', cell: ({ direction }) => named(direction) },
          {
            head: 'Conflict',
            cell: ({ conflict }) =>
              conflict ? html`<strong>yes: the two sides name different partners</strong>` : 'no',
          },
        ],
        links.slice(0, ROWS_MAX),
        ({ verdict: reached }) => reached === 'rejected' && 'differs',
      )}${leftOut(links.length)}${ruleTexts(links, rules)}`
}</section>`;
}

function verdict({ verdict: reached, reason }: Link): Html {
  if (reached === 'accepted') return html`<span class="good">✓ accepted</span>`;
  return html`<span class="bad">✗ rejected</span>${reason !== null && html`: <code>${reason}</code>`}`;
}

function grounds({ field, rawValue, toField, toRawValue }: Link): Html {
  const one = (name: string, raw: string): Html =>
    html`<code>${name}</code>: “<bdi>${cut(raw, RAW_MAX_CHARACTERS)}</bdi>”`;
  return html`${one(field, rawValue)}${toField !== null && html`<br>${one(toField, toRawValue ?? '')}`}`;
}

/** The texts of the named rules; omitted if another rule set made the snapshot. */
function ruleTexts(links: readonly Link[], rules: DedupRules | null): Html | false {
  if (rules === null) return false;
  const mentioned = new Set(
    links.slice(0, ROWS_MAX).flatMap(({ rule, reason }) => (reason === null ? [rule] : [rule, reason])),
  );
  const known = [...mentioned].flatMap((id) => rules.rules.get(id) ?? []);
  return html`<details><summary>What these rules say (${rules.id})</summary>
<dl>${known.map(({ id, statement, why }) => html`<dt><code>${id}</code></dt><dd>${statement} <span class="soft">${why}</span></dd>`)}</dl></details>`;
}

function leftOut(all: number): Html | false {
  return (
    all > ROWS_MAX &&
    html`<p class="soft">The first ${ROWS_MAX} of ${all}; the call at the end of this page gives all.</p>`
  );
}

const ROLES: Record<Identifier['role'], string> = {
  own: 'own: a registration held here',
  alias: 'alias: replaced by one of its registrations',
  declared: 'declared: stated in an id field',
};

/** Every identifier: who states it, whether its record is held, and whether it passes the known checks. */
export function identifiers(trial: TrialRecord): Html {
  const held = ({ inIndex, canonicalId }: Identifier): Html | string => {
    if (!inIndex) return html`<strong>no</strong>: a mention, never counted`;
    if (canonicalId === null || canonicalId === trial.canonicalId) return 'yes, in this trial';
    return html`yes, in <a href="${trialAddress(canonicalId)}"><code>${canonicalId}</code></a>`;
  };
  return html`<section aria-labelledby="identifiers"><h2 id="identifiers">Identifiers</h2>
${table(
  'Identifiers of this trial',
  [
    { head: 'Identifier', cell: ({ value }) => html`<code><bdi>${value}</bdi></code>` },
    { head: 'Type', cell: ({ type }) => type },
    { head: 'Role', cell: ({ role }) => ROLES[role] },
    { head: 'In the index (inIndex)', cell: held },
    {
      head: 'Suspect',
      cell: ({ suspect }) => (suspect ? html`<strong>yes</strong>: right shape, fails a known check` : 'no'),
    },
    { head: 'Stated by', cell: ({ declaredBy }) => declaredBy.join(', ') },
  ],
  trial.identifiers.slice(0, ROWS_MAX),
)}${leftOut(trial.identifiers.length)}</section>`;
}

/** Other trials that a rejected link points to. */
export function relations({ relations: all, evidence: links }: TrialRecord): Html {
  const listed = new Set(links.slice(0, ROWS_MAX).map(({ linkId }) => linkId));
  const other = ({ canonicalId, to }: Relation): Html =>
    canonicalId === null
      ? html`<code>${to}</code>`
      : html`<a href="${trialAddress(canonicalId)}"><code>${canonicalId}</code></a>`;
  return html`<section aria-labelledby="relations"><h2 id="relations">Related trials</h2>
${
  all.length === 0
    ? html`<p>No rejected link leads to another trial.</p>`
    : html`${table(
        'Trials that are related, not the same',
        [
          { head: 'Trial', cell: other },
          { head: 'Reason', cell: ({ reason }) => html`<code>${reason}</code>` },
          { head: 'From, to', cell: ({ from, to }) => html`<code>${from}</code> → <code>${to}</code>` },
          {
            head: 'Link',
            cell: ({ linkId }) =>
              listed.has(linkId) ? html`<a href="#${linkId}"><code>${linkId}</code></a>` : html`<code>${linkId}</code>`,
          },
        ],
        all.slice(0, ROWS_MAX),
      )}${leftOut(all.length)}`
}</section>`;
}
