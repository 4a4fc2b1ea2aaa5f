import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import { type Html, html } from '../html.ts';
import { copyable, record, table } from '../kit/parts.ts';
import { code, count, joined, several } from '../kit/words.ts';
import type { ReadMeta } from '../reads.ts';
import { named, REGISTRY_NAMES, trialAddress } from '../words/trials.ts';
import { type Extent, openIn } from './extent.ts';

/** The reviewed rules, which links name because they found or rejected them; a snapshot names the set that made it. */
const RULES = z
  .object({ id: z.string(), rules: z.array(z.object({ id: z.string(), statement: z.string(), why: z.string() })) })
  .parse(JSON.parse(readFileSync(new URL('../../../data/rules/dedup.json', import.meta.url), 'utf8')));

type Link = TrialRecord['evidence'][number];
type Identifier = TrialRecord['identifiers'][number];
type Relation = TrialRecord['relations'][number];

const DIRECTIONS: Record<Link['direction'], string> = {
  'one-way': 'one names the other',
  mutual: 'each names the other',
  shared: 'both state the same number',
};

/** Every link of the trial, accepted or rejected, with its evidence and the rules that decided. */
export function evidence(trial: TrialRecord, meta: ReadMeta, extent: Extent): Html {
  const links = trial.evidence;
  const own = new Set(trial.registrations.map(({ id }) => id));
  const place = (id: string): Html =>
    own.has(id) ? html`<code>${id}</code>` : html`<a href="${trialAddress(id)}"><code>${id}</code></a>`;
  const shown = extent.of(links);
  return html`<p>Registrations are joined only by identifiers that the registries state: not by titles, dates or literature.</p>
${
  links.length === 0
    ? html`<p>No other held registration is linked to this one.</p>`
    : html`<details${openIn(extent)}><summary>${several(links.length, 'link', 'links')}, accepted and rejected</summary>
${table(
  'Links',
  shown,
  [
    ['Verdict', verdict],
    ['From, to', ({ from, to }) => html`${place(from)} → ${place(to)}`],
    ['Field and its text', (link) => grounds(link, extent)],
    ['Read as', ({ identifier: { type, value } }) => html`${type} <code>${value}</code>`],
    [
      'Direction',
      ({ direction, conflict }) =>
        html`${DIRECTIONS[direction]}${conflict && html`; <strong>the two sides name different partners</strong>`}`,
    ],
    [
      'Rule',
      ({ rule, linkId }) => html`<code>${rule}</code><br><span class="soft" id="${linkId}">link ${linkId}</span>`,
    ],
  ],
  ({ verdict: reached }) => reached === 'rejected' && 'differs',
)}</details>${ruleTexts(shown, meta)}`
}
${relations(trial, extent)}`;
}

function verdict({ verdict: reached, reason }: Link): Html {
  if (reached === 'accepted') return html`<span class="good">✓ accepted</span>`;
  return html`<span class="bad">✗ rejected</span>${reason !== null && html`: <code>${reason}</code>`}`;
}

function grounds({ field, rawValue, toField, toRawValue }: Link, extent: Extent): Html {
  const one = (name: string, raw: string): Html => html`<code>${name}</code>: “<bdi>${extent.text(raw)}</bdi>”`;
  return html`${one(field, rawValue)}${toField !== null && html`<br>${one(toField, toRawValue ?? '')}`}`;
}

/** The texts of the named rules; omitted if another rule set made the snapshot. */
function ruleTexts(links: readonly Link[], { provenance }: ReadMeta): Html | false {
  const method = provenance?.dedupMethod;
  if (typeof method !== 'string' || !method.endsWith(`rules ${RULES.id}`)) return false;
  const mentioned = new Set(links.flatMap(({ rule, reason }) => (reason === null ? [rule] : [rule, reason])));
  const known = [...mentioned].flatMap((name) => RULES.rules.find(({ id }) => id === name) ?? []);
  return html`<details><summary>What these rules say (${RULES.id})</summary>
${record(
  known.map(({ id, statement, why }) => [code(id), html`${statement} <span class="soft">${why}</span>`]),
  'stacked',
)}</details>`;
}

/** Other trials that a rejected link points to, and records that others of their registry superseded. */
function relations({ relations: all }: TrialRecord, extent: Extent): Html {
  const other = ({ canonicalId, to }: Relation): Html =>
    canonicalId === null
      ? html`<code>${to}</code>`
      : html`<a href="${trialAddress(canonicalId)}"><code>${canonicalId}</code></a>`;
  if (all.length === 0) return html`<p>No rejected link leads to another trial.</p>`;
  return html`<h3>Related trials</h3>
${table('Records that are related and do not count here', extent.of(all), [
  ['Trial', other],
  ['Why it does not count here', ({ reason }) => html`<code>${reason}</code>`],
  ['From, to', ({ from, to }) => html`<code>${from}</code> → <code>${to}</code>`],
  ['Evidence', ({ linkId }) => html`<a href="#${linkId}">link <code>${linkId}</code></a>`],
])}`;
}

const ROLES: Record<Identifier['role'], string> = {
  own: 'its own number: a registration held here',
  alias: 'an earlier number of one of its registrations',
  declared: 'stated in a field for numbers',
  repaired: 'stated with a slip, read by its check',
  related: 'stated as the number of a parent, sub-study or extension',
};

/** Every identifier: who states it, whether its record is held, and whether it passes the known checks. */
export function identifiers(trial: TrialRecord, numbers: Html | null, extent: Extent): Html {
  const held = ({ inIndex, canonicalId }: Identifier): Html | string => {
    if (!inIndex) return 'not held: a mention, never counted';
    if (canonicalId === null || canonicalId === trial.canonicalId) return 'held, in this trial';
    return html`held, in <a href="${trialAddress(canonicalId)}"><code>${canonicalId}</code></a>`;
  };
  const registryOf = (id: string): string => {
    const registration = trial.registrations.find((one) => one.id === id);
    return registration === undefined ? id : `${REGISTRY_NAMES[registration.registry]} (${id})`;
  };
  return html`<details${openIn(extent)}><summary>Every number by which it goes: ${count(trial.identifiers.length)}</summary>
<p>Canonical id of this index: ${copyable(trial.canonicalId)}</p>
${table('Identifiers of this trial', extent.of(trial.identifiers), [
  ['Identifier', ({ value }) => html`<code><bdi>${value}</bdi></code>`],
  ['Kind', ({ type }) => type],
  [
    'What it is',
    ({ role, suspect }) =>
      html`${ROLES[role]}${suspect && html`; <strong>suspect</strong>: right shape, fails a known check`}`,
  ],
  ['Record', held],
  ['Stated by', ({ declaredBy }) => declaredBy.map(registryOf).join(', ')],
])}
${numbers}</details>`;
}

/** How a modality was inferred: a judgement about interventions, which no registry states. */
export function modality({ modality: inferred }: TrialRecord): Html | false {
  if (inferred === undefined) return false;
  return html`<details><summary>Kind of treatment, as inferred here</summary>
<p>No registry states it; the words that it rests on are told by ${inferred.vocabulary}: ${
    inferred.labels.length === 0
      ? 'none recognised'
      : inferred.labels.map(
          ({ id, matchedTerms }, place) =>
            html`${place > 0 && '; '}<a href="/trials?modality=${id}">${named(id)}</a> by ${joined([...new Set(matchedTerms.map(({ text }) => text))].map((text) => html`“<bdi>${text}</bdi>”`))}`,
        )
  }.</p></details>`;
}
