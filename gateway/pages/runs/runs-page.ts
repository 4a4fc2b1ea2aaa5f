import type { OperationOutput } from '../../../contract/operation.ts';
import { getPipelineRuns } from '../../../contract/operations/pipeline.ts';
import { RUN_OUTCOME_CODES } from '../../../contract/run-outcomes.ts';
import { type Html, html } from '../html.ts';
import { addressWith, apiCall, givenOf } from '../kit/address.ts';
import { choices, pager } from '../kit/list-controls.ts';
import { code, count, instant } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { REGISTRY_NAMES, records } from '../snapshots/words.ts';
import { duration, nextStep, OUTCOME_WORDS, runAddress } from './words.ts';

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
      title: 'Runs',
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
<p>${instant(startedAt)}, <code>${run.command}</code>, ${seconds === null ? 'it stated no end' : duration(seconds)}${served !== null && html`; serves <a href="/snapshots/${served.version}"><code>${served.version}</code></a>`}</p>
${readOf(run)}
${checksOf(run)}
${message !== null && html`<p class="soft">${beginning(message)}</p>`}
${next !== null && html`<p>${nextStep(next)}</p>`}</li>`;
}

/** What was read of each registry; never one sum. */
export function readOf({ rows }: Pick<Run, 'rows'>): Html | false {
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
  return html`${lines.slice(0, LINES_SHOWN).map((line, place) => html`${place > 0 && html`<br>`}${line}`)}${left > 0 && ` (and ${left} more ${left === 1 ? 'line' : 'lines'})`}`;
}

/** A word of the command line, apart from the next. */
export function commandLine({ command, arguments: words }: Pick<Run, 'command' | 'arguments'>): Html {
  return code([command, ...words].join(' '));
}
