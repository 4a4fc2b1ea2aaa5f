import type { OperationOutput } from '../../../contract/operation.ts';
import { getStatus } from '../../../contract/operations/service/status.ts';
import { getFreshness } from '../../../contract/operations/trials/registries.ts';
import { partOf, readSection } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import { record, table } from '../kit/parts.ts';
import { ageInWords, code, count, instant } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { versionLinked } from '../words/snapshots.ts';
import { REGISTRY_NAMES } from '../words/trials.ts';

type Status = OperationOutput<typeof getStatus>;
type Component = Status['components'][number];
type Layer = OperationOutput<typeof getFreshness>['layers'][number];

/** How the service is doing now: its parts, what it serves, and how old its data are. */
export const statusPage: Page = {
  id: 'page-status',
  async respond({ reads }) {
    const [status, freshness] = await Promise.all([reads.attempt(getStatus), reads.attempt(getFreshness)]);
    return {
      main: html`${partOf('The state of the service', status, servicePart)}
${readSection(['data', 'How old the data are', 'The age of the data'], freshness, ({ layers }) => dataPart(layers))}`,
      calls: [apiCall(getStatus), apiCall(getFreshness)],
    };
  },
};

/** A failure younger than this is said first. */
const LATELY_MS = 3_600_000;

export function servicePart(
  { state, startedAt, components, snapshot, board, failures, lastFailure }: Status,
  { meta: { generatedAt } }: { meta: { generatedAt: string } },
): Html {
  const failsLately = lastFailure !== null && Date.parse(generatedAt) - Date.parse(lastFailure.at) < LATELY_MS;
  const down = components.filter((component) => component.state === 'down');
  return html`${
    state === 'up'
      ? failsLately
        ? html`<p class="notice" role="note"><strong>Every part answers now, but requests failed lately</strong>, the newest at ${instant(lastFailure.at)}. Such a request was answered as failed, never as empty; most succeed when they are sent again.</p>`
        : html`<p><strong>Every part answers.</strong> How old the data is stands below.</p>`
      : html`<p class="notice" role="note"><strong>${down.length === 0 ? 'An older snapshot is served' : 'Part of the service does not work'}.</strong> ${down.map(({ component }) => `${nameOf(component)}: ${LOST[component] ?? 'not known what that stops'} `)}${snapshot.refused !== null && `The newest snapshot is not served: ${snapshot.refused}`}</p>`
  }
${table('Parts of the service', components, [
  ['Part', ({ component }) => nameOf(component)],
  [
    'State',
    (component) => (component.state === 'up' ? 'works' : html`<strong>does not work</strong>: ${component.detail}`),
  ],
  ['Since', ({ since }) => instant(since)],
  ['Last failure', failureOf],
])}
<h2>What is served</h2>
${record([
  [
    'Snapshot of the registries',
    snapshot.version === null
      ? html`<strong>none: trials cannot be searched</strong>`
      : versionLinked(snapshot.version),
  ],
  ['Its files were last checked whole', snapshot.checkedAt === null ? 'not yet' : instant(snapshot.checkedAt)],
  [
    'The board last proved that it can write',
    board.writeProvenAt === null ? 'not known' : instant(board.writeProvenAt),
  ],
  ['The service started', instant(startedAt)],
  ['Requests that failed since then', count(failures)],
  [
    'The newest of them',
    lastFailure === null ? 'none' : html`${instant(lastFailure.at)}, ${code(lastFailure.operation)}`,
  ],
])}
<p>How new versions come about, and which were refused: <a href="/snapshots/runs">the runs</a>.</p>`;
}

const NAMES: Readonly<Record<string, string>> = {
  gateway: 'Pages and API',
  'rate-store': 'Limits of requests',
  index: 'Trials',
  'snapshot-store': 'Where new versions come from',
  'board-server': 'Board',
  'board-file': "The board's file",
  'board-database': "The board's database",
  'change-feed': 'What is new on the board',
  webhooks: 'Deliveries to webhooks',
};
/** What cannot be done while a part does not work. */
const LOST: Readonly<Record<string, string>> = {
  'rate-store': 'each gateway counts requests by itself.',
  index: 'trials cannot be searched or read.',
  'snapshot-store': 'no newer version comes; trials are searched in the one that is here.',
  'board-server': 'the board can neither be read nor written; trials can be searched.',
  'board-file': 'the board takes nothing new; reading may go on.',
  'board-database': 'the board takes nothing new; reading may go on.',
  'change-feed': 'pages of the board do not renew themselves; reload them.',
  webhooks: 'receivers of webhooks wait for what is new; nothing is lost.',
};

const nameOf = (component: string): string => NAMES[component] ?? component;

function failureOf({ lastFailure }: Component): Html | string {
  return lastFailure === null
    ? 'none'
    : html`${instant(lastFailure.at)}, <a href="/docs/errors/${lastFailure.code}">${code(lastFailure.code)}</a>`;
}

/** Registries first: they are what the numbers of trials rest on. */
function dataPart(layers: readonly Layer[]): Html {
  const registries = layers.filter(({ kind }) => kind === 'registry');
  const bad = registries.filter(
    ({ state, stale, degraded }) => state !== 'answered' || stale === true || degraded === true,
  );
  const others = layers.filter(({ kind }) => kind !== 'registry');
  return html`${
    bad.length > 0 &&
    html`<p class="notice" role="note"><strong>${bad.map(layerName).join(' and ')}: older than promised, or without an answer.</strong> Numbers of trials are those of the day that is named.</p>`
  }
${ages('Registries', registries)}
<details><summary>${count(others.length)} other sources: feeds, curated items, word lists, rules, literature</summary>
${ages('Other sources', others)}</details>`;
}

function ages(caption: string, layers: readonly Layer[]): Html {
  return table(caption, layers, [
    ['Source', layerName],
    ['State', standing],
    ['Data of', ({ dataDay, lastSuccessAt, reviewedOn }) => instant(dataDay ?? lastSuccessAt ?? reviewedOn)],
    ['Age', ({ ageHours }) => ageInWords(ageHours), 'number'],
    [
      'Promised at most',
      ({ promisedHours }) => (promisedHours === null ? 'nothing' : ageInWords(promisedHours)),
      'number',
    ],
  ]);
}

function layerName({ layer, kind }: Layer): string {
  if (kind === 'registry') return REGISTRY_NAMES[layer as keyof typeof REGISTRY_NAMES] ?? layer;
  return layer.replace('/', ': ');
}

function standing({ state, kind, insidePromise, degraded, note }: Layer): string {
  const words =
    state === 'unanswered'
      ? 'gave no answer: unknown, not zero'
      : degraded === true
        ? 'kept from an earlier day'
        : insidePromise === false
          ? 'older than promised'
          : kind === 'on-demand'
            ? 'asked with each request'
            : 'as promised';
  return note === null ? words : `${words} (${note})`;
}
