import type { OperationOutput } from '../../../contract/operation.ts';
import { getPipelineRun, getPipelineRuns } from '../../../contract/operations/trials/pipeline.ts';
import { RUN_OUTCOME_CODES, type RunOutcomeCode } from '../../../contract/run-outcomes.ts';
import { type Html, html } from '../html.ts';
import { addressWith, apiCall, givenOf } from '../kit/address.ts';
import { choices, pager } from '../kit/list-controls.ts';
import { record } from '../kit/parts.ts';
import { code, count, inCode, instant, joined, several } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { REGISTRY_NAMES, records, size, versionLinked } from '../words/snapshots.ts';

/** An outcome in a few words, for a heading. */
export const OUTCOME_WORDS: Record<RunOutcomeCode, string> = {
  PUBLISHED: 'Published a new version',
  UNCHANGED: 'Checked, nothing new',
  DONE: 'Done',
  PUBLISHED_DEGRADED: 'A registry is missing or kept',
  REFUSED: 'Refused by the publication gate',
  WRONG_USAGE: 'Failed: wrong command line',
  WRONG_SETTINGS: 'Failed: wrong setting',
  LOCKED: 'Failed: another run was at work',
  SOURCE_FAILED: 'Failed: a source could not be read',
  STAGE_FAILED: 'Failed in a stage',
  SNAPSHOT_UNUSABLE: 'Failed: a version on disk could not be used',
  PULL_FAILED: 'Failed: a service could not be pulled from',
  STORE_FAILED: 'Failed: the store that machines share',
  NO_SPACE: 'Failed: disk full',
  DATABASE_SET_ASIDE: 'Failed: the working database was damaged',
  STOPPED: 'Stopped by the operator',
  FAILED: 'Failed: not foreseen',
  KILLED: 'Killed',
  OPEN: 'Under way, or killed',
};

/** What to do next, with its commands set as code. */
function nextStep(text: string): Html {
  return html`<strong>Next:</strong> ${inCode(text)}`;
}

/** A duration in readable form. */
export function duration(seconds: number | null): string {
  if (seconds === null) return 'not known';
  if (seconds < 120) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A figure or limit of a check, to four digits. */
export function figure(value: number | null): string {
  return value === null ? 'nothing to compare' : String(Number(value.toPrecision(4)));
}

/** The page of one run. */
function runAddress(run: string): string {
  return `/snapshots/runs/${run}`;
}

type Runs = OperationOutput<typeof getPipelineRuns>;
type Run = Runs['runs'][number];

const PATH = '/snapshots/runs';
const PAGE_SIZE = 20;

/** The recorded runs, newest first, as an operator reads them in the morning. */
export const runsPage: Page = {
  id: 'page-runs',
  async respond({ reads, query }) {
    const given = { ...givenOf(query, ['outcome', 'page'] as const), pageSize: PAGE_SIZE };
    const { data, meta } = await reads.read(getPipelineRuns, given);
    const total = meta.pagination?.totalItems ?? 0;
    return {
      main: html`<p>Each run reads the registries, checks what it read against the version before, and publishes a new <a href="/snapshots">version</a>, or says why not. A run that is refused or fails changes nothing that is served.</p>
${data.state === 'no-run-recorded' ? nothingRecorded() : listed(data, query, total)}
${
  data.state === 'recorded' &&
  pager({
    path: PATH,
    query,
    paging: meta.pagination ?? { hasMore: false },
    shown: `${count(data.runs.length)} of ${count(total)} runs`,
  })
}`,
      calls: [apiCall(getPipelineRuns, given)],
    };
  },
};

function nothingRecorded(): Html {
  return html`<p class="notice" role="note">No run is recorded here, so nothing is known of any run. <code>npm run pipeline -- run</code> records each one beside the versions.</p>`;
}

function listed({ runs, unreadableLines, olderLeftOut }: Runs, query: URLSearchParams, total: number): Html {
  return html`${filters(query)}
${total === 0 ? html`<p>${query.has('outcome') ? 'No run of the record ended so.' : 'The record holds no run yet.'}</p>` : html`<h2>Newest first</h2><ul class="cards">${runs.map(card)}</ul>`}
${unreadableLines > 0 && html`<p class="soft">${count(unreadableLines)} lines of the record tell nothing: a kill cut them, or a newer program wrote them.</p>`}
${olderLeftOut && html`<p class="soft">The record holds older runs too; <code>npm run pipeline -- runs</code> reads the file itself.</p>`}`;
}

function filters(query: URLSearchParams): Html {
  const chosen = query.get('outcome') ?? '';
  const shown = [
    ...(['PUBLISHED', 'UNCHANGED', 'PUBLISHED_DEGRADED', 'REFUSED'] as const),
    ...(['SOURCE_FAILED', 'STAGE_FAILED', 'FAILED', 'STOPPED', 'KILLED'] as const),
  ];
  const other = RUN_OUTCOME_CODES.find((outcome) => outcome === chosen && !shown.some((one) => one === outcome));
  const items = ['' as const, ...shown, ...(other ? [other] : [])].map((outcome) => ({
    title: outcome === '' ? 'All' : OUTCOME_WORDS[outcome],
    href: addressWith(PATH, query, { outcome, page: '' }),
    chosen: outcome === chosen,
  }));
  return choices('Runs by outcome', items);
}

function card(run: Run): Html {
  const { outcome, startedAt, seconds, served, message, next } = run;
  return html`<li><h3><a href="${runAddress(run.run)}">${OUTCOME_WORDS[outcome]}</a></h3>
<p>${instant(startedAt)}, <code>${run.command}</code>, ${seconds === null ? 'it stated no end' : duration(seconds)}${served !== null && html`; serves ${versionLinked(served.version)}`}</p>
${readOf(run)}
${checksOf(run)}
${message !== null && html`<p class="soft">${beginning(message)}</p>`}
${next !== null && html`<p>${nextStep(next)}</p>`}</li>`;
}

/** What was read of each registry; never one sum. */
function readOf({ rows }: Pick<Run, 'rows'>): Html | false {
  if (rows === null) return false;
  const words = rows.registries.map(({ registry, read }) => `${REGISTRY_NAMES[registry]}: ${records(read)}`);
  return html`<p>Records read: ${words.join('; ')}; together ${count(rows.trials)} distinct trials</p>`;
}

function checksOf({ checks }: Run): Html | false {
  if (checks === null) return false;
  const parts = [
    checks.refused > 0 && `${checks.refused} refused`,
    checks.accepted > 0 && `${checks.accepted} accepted by the operator`,
    `${checks.passed} passed`,
    checks.notCompared > 0 && `${checks.notCompared} had nothing to compare`,
  ];
  return html`<p>Checks: ${parts.filter(Boolean).join(', ')}</p>`;
}

/** Lines of a message that stand in the list: a refusal names each breach, and the cause may be the last of them. */
const LINES_SHOWN = 12;

function beginning(message: string): Html {
  const lines = message.split('\n');
  const left = lines.length - LINES_SHOWN;
  return html`${lines.slice(0, LINES_SHOWN).map((line, place) => html`${place > 0 && html`<br>`}${line}`)}${left > 0 && ` (and ${several(left, 'more line', 'more lines')})`}`;
}

/** A word of the command line, apart from the next. */
export function commandLine({ command, arguments: words }: Pick<Run, 'command' | 'arguments'>): Html {
  return code([command, ...words].join(' '));
}

type RunDetail = OperationOutput<typeof getPipelineRun>;
type Gate = NonNullable<RunDetail['gate']>;
type Check = Gate['checks'][number];

/** One run: how it ended, what it took, what each check found, and what to do next. */
export const runPage: Page = {
  id: 'page-run',
  async respond({ reads, params }) {
    const { data } = await reads.read(getPipelineRun, { run: params.run });
    return {
      title: `${OUTCOME_WORDS[data.outcome]}: the run of ${data.startedAt.slice(0, 10)}`,
      main: html`<p>${data.meaning}</p>
${data.next !== null && html`<p class="notice" role="note">${nextStep(data.next)}</p>`}
${data.message !== null && html`<h2>What the program said</h2><pre><code>${data.message}</code></pre>`}
${head(data)}
${stages(data)}
${gate(data)}
<p><a href="/snapshots/runs">All runs</a></p>`,
      calls: [apiCall(getPipelineRun, { run: data.run })],
    };
  },
};

function head(run: RunDetail): Html {
  const { served, program } = run;
  return html`<h2>The run</h2>
${record([
  ['Outcome', html`<code>${run.outcome}</code>${run.exitCode !== null && `, exit code ${run.exitCode}`}`],
  ['Began', instant(run.startedAt)],
  ['Ended', run.endedAt === null ? 'it stated no end' : html`${instant(run.endedAt)}, after ${duration(run.seconds)}`],
  [
    'Served after it',
    served === null ? 'what was served before' : html`${versionLinked(served.version)}, ${size(served.bytes)}`,
  ],
  ['Command', commandLine(run)],
  [
    'Program',
    `${program.version}${program.commit === null ? '' : `, commit ${program.commit.slice(0, 10)}`}, Node ${program.node}, DuckDB ${program.duckdb}`,
  ],
  ['Id', code(run.run)],
])}
${readOf(run)}`;
}

function stages({ stages: all }: RunDetail): Html {
  if (all.length === 0) return html`<h2>Stages</h2><p>No stage began, or none was timed.</p>`;
  return html`<h2>Stages</h2>
${record(all.map(({ stage, seconds }) => [stage, duration(seconds)]))}`;
}

function gate({ gate: found }: RunDetail): Html {
  if (found === null)
    return html`<h2>Checks</h2><p>The publication gate was not reached, or this record is older than its checks.</p>`;
  const of = (verdict: Check['verdict']): Check[] => found.checks.filter((check) => check.verdict === verdict);
  return html`<h2>Checks</h2>
${checkList('Refused', of('refused'))}
${accepted(found, of('accepted'))}
${checkList('Had nothing to compare', of('not-compared'))}
${checkList('Passed', of('passed'))}`;
}

function accepted({ reason }: Gate, checks: readonly Check[]): Html | false {
  return (
    checks.length > 0 &&
    html`${checkList('Accepted by the operator', checks)}
<p>Why: ${reason ?? 'no reason is recorded'}</p>`
  );
}

/** Names and values and no table, so that nothing must be scrolled sideways on a phone. */
function checkList(title: string, checks: readonly Check[]): Html | false {
  return (
    checks.length > 0 &&
    html`<h3>${title}: ${count(checks.length)}</h3>
${record(checks.map((check) => [joined(check.name.split(':').map(code), ' '), found(check)]))}`
  );
}

function found({ figure: value, limit, affected }: Check): string {
  const records = affected === null ? '' : `; ${several(affected, 'record', 'records')}`;
  return value === null
    ? `${figure(null)}; limit ${figure(limit)}`
    : `${figure(value)}, limit ${figure(limit)}${records}`;
}
