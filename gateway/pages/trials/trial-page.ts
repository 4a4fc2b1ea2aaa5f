import { httpInput } from '../../../contract/arguments.ts';
import { getTrial, getTrialRegistrations, getTrialRelatedResearch } from '../../../contract/operations/trials.ts';
import type { TrialRecord } from '../../../contract/schemas/trial.ts';
import { failureNotice } from '../failure.ts';
import { type Html, html } from '../html.ts';
import type { Page, PageContent, PageRequest } from '../page.ts';
import { type Answered, FailedRead, type ReadMeta } from '../reads.ts';
import { type DedupRules, loadDedupRules } from './dedup-rules.ts';
import { evidence, identifiers, relations } from './trial-evidence.ts';
import { payloads } from './trial-payloads.ts';
import { identity, record, sideBySide } from './trial-record.ts';
import { research } from './trial-research.ts';
import { cut, outside, trialAddress } from './words.ts';

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
${record(trial)}
${sideBySide(trial)}
${evidence(trial, rulesOf(meta))}
${identifiers(trial)}
${relations(trial)}
${research(trial, related, asksLiterature)}
${citation(trial)}
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
<p>An address of a trial takes its canonical id (<code>wt_</code> and twelve letters or digits), an id that it had before, or the id of a registration that it holds: an NCT number such as <code>NCT01234567</code> or an ISRCTN number such as <code>ISRCTN12345678</code>.</p>
<p><a href="/trials">Search the trials</a></p>`,
    ...(status === 404 && { calls: [httpInput(getTrial, { canonicalId: id }).path] }),
  };
}

type Resolved = Answered<{ total: number; matches: { canonicalId: string; trial: TrialRecord }[] }>;

function stating(id: string, { data: { total, matches } }: Resolved): Html {
  return html`<div class="notice"><p>No record of <bdi>${id}</bdi> is held, but ${total === 1 ? '1 trial states' : `${total} trials state`} it:</p>
<ul>${matches.slice(0, STATING_SHOWN).map(({ canonicalId, trial }) => html`<li><a href="${trialAddress(canonicalId)}"><bdi>${cut(trial.title ?? trial.officialTitle ?? canonicalId, TITLE_MAX_CHARACTERS)}</bdi></a></li>`)}</ul></div>`;
}
