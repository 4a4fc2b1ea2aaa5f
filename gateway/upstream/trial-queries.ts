import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import type { Operation } from '../../contract/operation.ts';
import { createWebhook } from '../../contract/operations/board/webhooks.ts';
import { filtersAsSent, webhookCreateSchema } from '../../contract/schemas/board/webhook.ts';
import type { TrialsChanged } from '../../contract/schemas/trials/trial-change.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import { unpacked } from '../../server-kit/body.ts';
import { Problem } from '../../server-kit/problem.ts';
import type { AskIndex } from './ask-index.ts';
import { readJson, sendJson } from './read-json.ts';
import type { Upstream } from './upstream.ts';

/** Changed trials that a delivery names; its address has the rest. */
const NAMED_TRIALS = 20;
const TITLE_CHARACTERS = 200;
const NAMED_FIELDS = 20;
const POLL_MS = 5_000;
const SILENCE_MS = 30_000;
const PATH = '/internal/trial-queries';

interface Asked {
  version: string | null;
  parent: string | null;
  queries: { key: string; query: Record<string, string> }[];
}

/**
 * Has the index answer what the board's subscriptions ask of a new version. The board keeps which queries are open, and
 * stores each answer once, so that a kill on either side repeats a question and loses no answer.
 */
export class TrialQueries implements Disposable {
  readonly #board: Upstream;
  readonly #ask: AskIndex;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | null = null;
  #fault: string | null = null;

  constructor(board: Upstream, ask: AskIndex, log: Logger) {
    this.#board = board;
    this.#ask = ask;
    this.#log = log;
  }

  /** Asks every few seconds until disposed. */
  start(): this {
    const next = async (): Promise<void> => {
      await this.run();
      this.#timer?.refresh();
    };
    this.#timer = setTimeout(() => void next(), POLL_MS).unref();
    return this;
  }

  /** Answers everything that is open by now. Never rejects: what fails is logged once, and asked again. */
  async run(): Promise<void> {
    try {
      while (await this.#answerSome());
      this.#fault = null;
    } catch (err) {
      const fault = err instanceof Error ? err.message : String(err);
      if (fault !== this.#fault) this.#log.warn({ err }, 'what webhooks ask of a new version cannot be answered yet');
      this.#fault = fault;
    }
  }

  /** Whether there may be more. */
  async #answerSome(): Promise<boolean> {
    const { version, parent, queries } = await readJson<Asked>(this.#board, PATH, SILENCE_MS);
    if (version === null || parent === null) return false;
    const served = (await this.#ask('/api/v1/trials/stats')).body._meta?.snapshot ?? '';
    // The board may see a version before the index serves it. Names of versions begin with their time.
    if (served < version) return false;
    const found: { key: string; data: string | null }[] = [];
    for (const { key, query } of queries) found.push({ key, data: await this.#answerTo({ version, parent, query }) });
    await sendJson(this.#board, PATH, { version, found }, SILENCE_MS);
    return true;
  }

  /** What is delivered of a version to subscriptions with a query; null for nothing. */
  async #answerTo(asked: { version: string; parent: string; query: Record<string, string> }): Promise<string | null> {
    const { version, parent, query } = asked;
    const changed = `/api/v1/trials/changes?${new URLSearchParams({ since: parent, until: version, ...query })}`;
    const { status, body } = await this.#ask(`${changed}&limit=${NAMED_TRIALS}`);
    const head = { version, parent, query };
    if (status === 400) {
      const { message, parameter = '', expected } = body.error ?? {};
      // A served version that does not come from this one tells no changes of it.
      if (!Object.hasOwn(trialFilterParameters, parameter)) return null;
      return JSON.stringify({ ...head, trials: [], more: false, changed, fault: { message, parameter, expected } });
    }
    if (status !== 200) throw new Error(`the index answered ${status}`);
    const { trials } = body.data as TrialsChanged;
    if (trials.length === 0) return null;
    const pagination = (body._meta as { pagination?: { hasMore?: boolean } } | undefined)?.pagination;
    return JSON.stringify({ ...head, trials: trials.map(named), more: pagination?.hasMore === true, changed });
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** What a delivery says of a changed trial: small, without values. */
function named({ canonicalId, heldBy, title, kinds, changes }: TrialsChanged['trials'][number]) {
  const fields = [...new Set(changes.flatMap(({ field }) => (field === null ? [] : [field])))];
  return {
    ...{ canonicalId, heldBy, title: title === null ? null : title.slice(0, TITLE_CHARACTERS).toWellFormed() },
    ...{ kinds, fields: fields.slice(0, NAMED_FIELDS) },
  };
}

/** Checks the filters of a subscription that is created, where its body is otherwise usable: the board says what is not. */
export function filterCheck(ask: AskIndex) {
  return async (event: H3Event, { id, bodyMaxBytes = 0 }: Operation, body: Buffer): Promise<void> => {
    if (id !== createWebhook.id) return;
    const text = await unpacked(body, event.req.headers.get('content-encoding'), bodyMaxBytes);
    const read = webhookCreateSchema.safeParse(jsonOf(text));
    if (read.success && read.data.query != null) await checkFilters(ask, filtersAsSent(read.data.query));
  };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

const QUERY_HINT =
  'Correct the filter that error.issues names: query takes those of GET /api/v1/trials/search, by the same names and with the same values.';

/** Refuses filters that a search of the served version refuses: an unknown topic or country, a contradiction. */
async function checkFilters(ask: AskIndex, filters: Record<string, string>): Promise<void> {
  const query = new URLSearchParams({ since: 'current', limit: '1', ...filters });
  const { status, body } = await ask(`/api/v1/trials/changes?${query}`);
  if (status === 200) return;
  if (status !== 400)
    throw new Problem('WEBHOOK_CREATE_FAILED', {
      message: 'The query cannot be checked, because the index does not answer now.',
    });
  const { parameter = '', expected = '' } = body.error ?? {};
  const issue = { path: `query.${parameter}`, message: `expected ${expected}` };
  throw new Problem('INVALID_BODY', {
    message: `The body has 1 problem(s): ${issue.path}: ${issue.message}`,
    issues: [issue],
    hint: QUERY_HINT,
  });
}
