import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { httpInput } from '../../../contract/arguments.ts';
import { getTrial, getTrialRegistrations, getTrialRelatedResearch } from '../../../contract/operations/trials.ts';
import { pageOf } from '../../../contract/pages.ts';
import type { TrialRecord } from '../../../contract/schemas/trial.ts';
import { failedPart, failureNotice } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { table } from '../kit/table.ts';
import { code, count, instant } from '../kit/words.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { type Answered, FailedRead, type ReadMeta } from '../reads.ts';
import { details } from './trial-details.ts';
import { identity, recordOf, sideBySide } from './trial-record.ts';
import { research } from './trial-research.ts';
import { cut, leftOut, named, outside, REGISTRY_NAMES, trialAddress } from './words.ts';

/** A reviewed rule that a link names, because it found or rejected the link. */
interface DedupRule {
  id: string;
  statement: string;
  why: string;
}

interface DedupRules {
  /** Id of the rule set; a snapshot names the set that made it. */
  id: string;
  rules: ReadonlyMap<string, DedupRule>;
}

const rulesSchema = z.object({
  id: z.string(),
  rules: z.array(z.object({ id: z.string(), statement: z.string(), why: z.string() })),
});

function loadDedupRules(file: URL = new URL('../../../data/rules/dedup.json', import.meta.url)): DedupRules {
  const { id, rules } = rulesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { id, rules: new Map(rules.map((rule) => [rule.id, rule])) };
}

const TITLE_MAX_CHARACTERS = 300;
/** Trials shown that state an identifier without a record. */
const STATING_SHOWN = 20;

const RULES = loadDedupRules();

/** One trial and its evidence. */
export const trialPage: Page = {
  id: 'page-trial',
  async respond(request) {
    const { reads, query } = request;
    const id = request.params.id!;
    const asksLiterature = query.get('literature') === 'true';
    const include = asksLiterature ? {} : { include: 'declared' };
    const [found, related, raw] = await Promise.all([
      reads.attempt(getTrial, { canonicalId: id, include: 'modality' }),
      reads.attempt(getTrialRelatedResearch, { id, ...include }),
      query.get('raw') === 'true' ? reads.attempt(getTrial, { canonicalId: id, includeRaw: true }) : null,
    ]);
    if (found instanceof FailedRead) return unknown(found, request);
    const { data: trial, meta } = found;
    const { canonicalId } = trial;
    const path = trialAddress(canonicalId);
    return {
      title: cut(trial.title ?? trial.officialTitle ?? canonicalId, TITLE_MAX_CHARACTERS),
      canonical: `${request.baseUrl}${path}`,
      main: html`${movedNotice(id, trial)}
${identity(trial, `${request.baseUrl}${path}`)}
${details(trial)}
${recordOf(trial)}
${sideBySide(trial)}
${evidence(trial, rulesOf(meta))}
${identifiers(trial)}
${relations(trial)}
${research(trial, related, asksLiterature)}
${citation(trial)}
${proof(trial)}
${payloads(trial, raw)}`,
      calls: [
        httpInput(getTrial, { canonicalId, include: 'modality', ...(raw !== null && { includeRaw: true }) }).path,
        httpInput(getTrialRelatedResearch, { id: canonicalId, ...include }).path,
      ],
    };
  },
};

/** The texts of the rules, if the snapshot was made by the rule set that this code knows. */
function rulesOf({ provenance }: ReadMeta): DedupRules | null {
  const method = provenance?.dedupMethod;
  return typeof method === 'string' && method.endsWith(`rules ${RULES.id}`) ? RULES : null;
}

/** Shown if another id led here; the canonical address is the one to keep. */
function movedNotice(id: string, { canonicalId, aliases }: TrialRecord): Html | false {
  if (id === canonicalId) return false;
  const kind = aliases.includes(id)
    ? 'an id that this trial had before'
    : 'an identifier of a registration of this trial';
  return html`<p class="notice" role="note"><bdi>${id}</bdi> is ${kind}. The address to keep is <a href="${trialAddress(canonicalId)}"><code>${trialAddress(canonicalId)}</code></a>.</p>`;
}

function citation({ citation: { text, verifyAt } }: TrialRecord): Html {
  return html`<section aria-labelledby="citation"><h2 id="citation">Citation</h2>
<pre><code><bdi>${text}</bdi></code></pre>
<p>Verify at ${outside(verifyAt, verifyAt)} before you rely on it.</p></section>`;
}

/** A file that shows without this service what is shown here. */
function proof({ canonicalId }: TrialRecord): Html {
  return html`<section aria-labelledby="proof"><h2 id="proof">Proof</h2>
<p><a href="/api/v1/trials/${canonicalId}/proof" download="proof-${canonicalId}.json">Download the proof</a> that this snapshot holds this trial with its registrations and links, and <a href="${pageOf('page-verify').path}">verify</a> it without this service.</p></section>`;
}

/** Explains which ids are possible, and lists trials that state an id without a record. */
async function unknown(failure: FailedRead, { reads, params }: PageRequest): Promise<PageContent> {
  const { status, error } = failure;
  if (status !== 404 && status !== 400) throw failure;
  const id = params.id!;
  const stated = status === 404 ? await reads.attempt(getTrialRegistrations, { id }) : null;
  return {
    title: status === 404 ? 'No such trial' : 'Not an identifier',
    status,
    main: html`${failureNotice(error)}
${stated !== null && !(stated instanceof FailedRead) && stating(id, stated)}
<p>The address of a trial takes its canonical id (<code>wt_</code> and twelve letters or digits), one of its earlier ids, or the id of one of its registrations: an NCT number such as <code>NCT01234567</code> or an ISRCTN number such as <code>ISRCTN12345678</code>.</p>
<p><a href="/trials">Search the trials</a></p>`,
    ...(status === 404 && { calls: [httpInput(getTrial, { canonicalId: id }).path] }),
  };
}

type Resolved = Answered<{ total: number; matches: { canonicalId: string; trial: TrialRecord }[] }>;

function stating(id: string, { data: { total, matches } }: Resolved): Html {
  return html`<div class="notice"><p>No record of <bdi>${id}</bdi> is held, but ${total === 1 ? '1 trial states' : `${total} trials state`} it:</p>
<ul>${matches.slice(0, STATING_SHOWN).map(({ canonicalId, trial }) => html`<li><a href="${trialAddress(canonicalId)}"><bdi>${cut(trial.title ?? trial.officialTitle ?? canonicalId, TITLE_MAX_CHARACTERS)}</bdi></a></li>`)}</ul></div>`;
}

/** A payload up to this size is shown whole; a larger one is cut. */
const SHOWN_WHOLE_MAX_CHARACTERS = 200_000;
const BEGINNING_CHARACTERS = 20_000;

type Payload = NonNullable<TrialRecord['raw']>[number];

/** When each record was read, and its hash; the payloads too if the reader asked for them. */
function payloads(trial: TrialRecord, raw: Answered<TrialRecord> | FailedRead | null): Html {
  return html`<section aria-labelledby="payloads"><h2 id="payloads">What was received</h2>
${table('Records as received', trial.registrations, [
  { head: 'Registration', cell: ({ id, url }) => outside(url, id) },
  { head: 'Registry', cell: ({ registry }) => REGISTRY_NAMES[registry] },
  { head: 'Retrieved', cell: ({ retrievedAt }) => instant(retrievedAt) },
  { head: 'Version of the registry', cell: ({ sourceVersion }) => sourceVersion ?? 'not stated' },
  { head: 'Superseded ids', cell: ({ aliases }) => aliases.join(', ') || 'none' },
  { head: 'Checksum of the payload', cell: ({ checksum }) => code(checksum) },
])}
${shown(trial, raw)}</section>`;
}

function shown(trial: TrialRecord, raw: Answered<TrialRecord> | FailedRead | null): Html {
  if (raw === null)
    return html`<p><a href="${trialAddress(trial.canonicalId)}?raw=true#payloads" rel="nofollow">Show the payloads exactly as received</a></p>`;
  if (raw instanceof FailedRead) return failedPart('The raw payload', raw);
  return html`${(raw.data.raw ?? []).map((payload) => payloadText(trial, payload))}`;
}

function payloadText({ canonicalId }: TrialRecord, { registration, format, payload }: Payload): Html {
  const isWhole = payload.length <= SHOWN_WHOLE_MAX_CHARACTERS;
  const text = isWhole ? payload : payload.slice(0, BEGINNING_CHARACTERS).toWellFormed();
  const call = httpInput(getTrial, { canonicalId, includeRaw: true }).path;
  return html`<h3>Payload of ${registration} (${format}, ${count(payload.length)} characters)</h3>
${!isWhole && html`<p class="notice" role="note">The first ${count(BEGINNING_CHARACTERS)} characters. All of it: <code>${call}</code></p>`}
<pre class="payload" tabindex="0" role="region" aria-label="Payload of ${registration}">
${text}</pre>`;
}

/** Rows of a table; the call at the end of the page returns all. */
const ROWS_MAX = 40;
const RAW_MAX_CHARACTERS = 300;

type Link = TrialRecord['evidence'][number];
type Identifier = TrialRecord['identifiers'][number];
type Relation = TrialRecord['relations'][number];

/** Every link of the trial, accepted or rejected, with its evidence and the rules that decided. */
function evidence(trial: TrialRecord, rules: DedupRules | null): Html {
  const { registrations } = trial;
  const links = trial.evidence;
  const own = new Set(registrations.map(({ id }) => id));
  const place = (id: string): Html =>
    own.has(id) ? code(id) : html`<a href="${trialAddress(id)}"><code>${id}</code></a>`;
  return html`<section aria-labelledby="evidence"><h2 id="evidence">${registrations.length > 1 ? 'Why these registrations are one trial' : 'Links to other registrations'}</h2>
<p>Registrations are joined only by identifiers that the registries state: not by titles, dates or literature.</p>
${
  links.length === 0
    ? html`<p>No other held registration is linked to this one.</p>`
    : html`${table(
        'Links',
        links.slice(0, ROWS_MAX),
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
        ({ verdict: reached }) => reached === 'rejected' && 'differs',
      )}${leftOut(ROWS_MAX, links.length)}${ruleTexts(links, rules)}`
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

const ROLES: Record<Identifier['role'], string> = {
  own: 'own: a registration held here',
  alias: 'alias: replaced by one of its registrations',
  declared: 'declared: stated in an id field',
  repaired: 'repaired: stated with a slip, read by its check',
  related: 'related: stated as the number of a parent, sub-study or extension',
};

/** Every identifier: who states it, whether its record is held, and whether it passes the known checks. */
function identifiers(trial: TrialRecord): Html {
  const held = ({ inIndex, canonicalId }: Identifier): Html | string => {
    if (!inIndex) return html`<strong>no</strong>: a mention, never counted`;
    if (canonicalId === null || canonicalId === trial.canonicalId) return 'yes, in this trial';
    return html`yes, in <a href="${trialAddress(canonicalId)}"><code>${canonicalId}</code></a>`;
  };
  return html`<section aria-labelledby="identifiers"><h2 id="identifiers">Identifiers</h2>
${table('Identifiers of this trial', trial.identifiers.slice(0, ROWS_MAX), [
  { head: 'Identifier', cell: ({ value }) => html`<code><bdi>${value}</bdi></code>` },
  { head: 'Type', cell: ({ type }) => type },
  { head: 'Role', cell: ({ role }) => ROLES[role] },
  { head: 'In the index (inIndex)', cell: held },
  {
    head: 'Suspect',
    cell: ({ suspect }) => (suspect ? html`<strong>yes</strong>: right shape, fails a known check` : 'no'),
  },
  { head: 'Stated by', cell: ({ declaredBy }) => declaredBy.join(', ') },
])}${leftOut(ROWS_MAX, trial.identifiers.length)}</section>`;
}

/** Other trials that a rejected link points to. */
function relations({ relations: all, evidence: links }: TrialRecord): Html {
  const listed = new Set(links.slice(0, ROWS_MAX).map(({ linkId }) => linkId));
  const other = ({ canonicalId, to }: Relation): Html =>
    canonicalId === null ? code(to) : html`<a href="${trialAddress(canonicalId)}"><code>${canonicalId}</code></a>`;
  return html`<section aria-labelledby="relations"><h2 id="relations">Related trials</h2>
${
  all.length === 0
    ? html`<p>No rejected link leads to another trial.</p>`
    : html`${table('Trials that are related, not the same', all.slice(0, ROWS_MAX), [
        { head: 'Trial', cell: other },
        { head: 'Reason', cell: ({ reason }) => code(reason) },
        { head: 'From, to', cell: ({ from, to }) => html`<code>${from}</code> → <code>${to}</code>` },
        {
          head: 'Link',
          cell: ({ linkId }) =>
            listed.has(linkId) ? html`<a href="#${linkId}"><code>${linkId}</code></a>` : code(linkId),
        },
      ])}${leftOut(ROWS_MAX, all.length)}`
}</section>`;
}
