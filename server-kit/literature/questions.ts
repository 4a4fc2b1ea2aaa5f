import { LRUCache } from 'lru-cache';
import type { FaultReason } from '../../contract/schemas/trials/related.ts';
import { LiteratureFault, type LiteratureSource, type Paper } from './paper.ts';
import type { Found } from './pubmed.ts';

/** An answer of a source, with the time when it was given. */
interface Kept {
  value: Found;
  at: Date;
}

export type Outcome =
  | ({ state: 'answered'; source: LiteratureSource } & Kept)
  | { state: 'unanswered'; source: LiteratureSource; reason: FaultReason }
  /** `off`: this deployment sends the source no request. */
  | { state: 'not_asked'; source: LiteratureSource; reason: 'off' };

export interface Question {
  source: LiteratureSource;
  key: string;
  produce: (signal: AbortSignal) => Promise<Found>;
  /** Whether a paper is one that the question names. */
  isSound: (paper: Paper) => boolean;
}

export interface QuestionsOptions {
  now: () => Date;
  /** Milliseconds that one question may take, including its wait and its second try. */
  questionMs: number;
  cache: { maxEntries: number; maxBytes: number };
  /** Called for everything that a source did wrong; a fault has no address and no body. */
  onFault: (fault: LiteratureFault) => void;
}

const HOUR_MS = 3_600_000;
/** Papers stay, so a list of them is kept long. An empty answer is kept shorter, since a first paper may appear. */
const KEEP_FOUND_MS = 12 * HOUR_MS;
const KEEP_NONE_MS = HOUR_MS;

/** Asks the sources. Equal questions share one request, answers are kept, and each question has a time limit. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #answers: LRUCache<string, Kept, Question>;

  constructor(options: QuestionsOptions) {
    this.#options = options;
    const { now, cache } = options;
    this.#answers = new LRUCache<string, Kept, Question>({
      max: cache.maxEntries,
      maxSize: cache.maxBytes,
      sizeCalculation: ({ value }, key) => 2 * (JSON.stringify(value).length + key.length),
      ttl: KEEP_FOUND_MS,
      ttlResolution: 0,
      perf: { now: () => now().getTime() },
      // A question that others took the place of goes on, since its callers wait for it.
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { options: kept, context }) => {
        const value = await this.#produce(context);
        kept.ttl = value.papers.length > 0 ? KEEP_FOUND_MS : KEEP_NONE_MS;
        return { value, at: now() };
      },
    });
  }

  /** Never rejects because of a source. `deadline` ends the caller's wait; the question goes on for the others. */
  async ask(question: Question, deadline: AbortSignal): Promise<Outcome> {
    const { source, key } = question;
    if (deadline.aborted) return { state: 'unanswered', source, reason: 'timeout' };
    const late = Promise.withResolvers<never>();
    const end = (): void => late.reject(new LiteratureFault(source, 'timeout'));
    deadline.addEventListener('abort', end, { once: true });
    try {
      const answer = this.#answers.forceFetch(`${source} ${key}`, { context: question });
      return { state: 'answered', source, ...(await Promise.race([answer, late.promise])) };
    } catch (error) {
      if (!(error instanceof LiteratureFault)) throw error;
      return { state: 'unanswered', source, reason: error.reason };
    } finally {
      deadline.removeEventListener('abort', end);
    }
  }

  async #produce({ source, produce, isSound }: Question): Promise<Found> {
    try {
      const found = await produce(AbortSignal.timeout(this.#options.questionMs));
      const papers = found.papers.filter(isSound);
      if (papers.length === found.papers.length && (papers.length > 0 || found.total === 0)) return found;
      const fault = new LiteratureFault(source, 'another_id', 'papers that are not what was asked for');
      // If no paper is left, it is unknown whether there is one.
      if (papers.length === 0) throw fault;
      this.#options.onFault(fault);
      return { papers, total: papers.length };
    } catch (error) {
      if (error instanceof LiteratureFault) this.#options.onFault(error);
      throw error;
    }
  }
}
