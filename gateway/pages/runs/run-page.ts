import type { OperationOutput } from '../../../contract/operation.ts';
import { getPipelineRun } from '../../../contract/operations/pipeline.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import { record } from '../kit/parts.ts';
import { code, count, instant, joined } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { size } from '../snapshots/words.ts';
import { commandLine, readOf } from './runs-page.ts';
import { duration, figure, nextStep, OUTCOME_WORDS } from './words.ts';

type Run = OperationOutput<typeof getPipelineRun>;
type Gate = NonNullable<Run['gate']>;
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

function head(run: Run): Html {
  const { served, program } = run;
  return html`<h2>The run</h2>
${record([
  ['Outcome', html`<code>${run.outcome}</code>${run.exitCode !== null && `, exit code ${run.exitCode}`}`],
  ['Began', instant(run.startedAt)],
  ['Ended', run.endedAt === null ? 'it stated no end' : html`${instant(run.endedAt)}, after ${duration(run.seconds)}`],
  [
    'Served after it',
    served === null
      ? 'what was served before'
      : html`<a href="/snapshots/${served.version}"><code>${served.version}</code></a>, ${size(served.bytes)}`,
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

function stages({ stages: all }: Run): Html {
  if (all.length === 0) return html`<h2>Stages</h2><p>No stage began, or none was timed.</p>`;
  return html`<h2>Stages</h2>
${record(all.map(({ stage, seconds }) => [stage, duration(seconds)] as const))}`;
}

function gate({ gate: found }: Run): Html {
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
<dl>${checks.map((check) => html`<dt>${joined(check.name.split(':').map(code), ' ')}</dt><dd>${found(check)}</dd>`)}</dl>`
  );
}

function found({ figure: value, limit, affected }: Check): string {
  const records = affected === null ? '' : `; ${count(affected)} ${affected === 1 ? 'record' : 'records'}`;
  return value === null
    ? `${figure(null)}; limit ${figure(limit)}`
    : `${figure(value)}, limit ${figure(limit)}${records}`;
}
