import { LRUCache } from 'lru-cache';
import type { FaultReason } from '../../contract/schemas/trials/related.ts';
import type { Config } from '../config/config.ts';
import { EuropePmc } from './europepmc.ts';
import {
  LITERATURE_SOURCES,
  LiteratureFault,
  type LiteratureSource,
  MATCHED_BY,
  namedIn,
  type Paper,
} from './paper.ts';
import { type Found, Pubmed, type PubmedField } from './pubmed.ts';
import { type Pace, SourceClient } from './source-client.ts';
import {
  askedOf,
  classOf,
  mentionOf,
  type Outcome,
  type PaperAnswer,
  type PaperMention,
  paperAnswer,
  papersOf,
  type Verification,
} from './verification.ts';

export type LiteratureSettings = Pick<Config, 'pubmedUrl' | 'europepmcUrl' | 'ncbiApiKey' | 'contactEmail'>;

export interface LiteratureOptions extends LiteratureSettings {
  now: () => Date;
  /** Which server asks: NCBI counts the address, so two processes on one share its rate. */
  askedBy: 'index' | 'board';
  /** Called for every fault of a source; a fault has no address and no body. */
  onFault?: (fault: LiteratureFault) => void;
  /** Milliseconds that a call may take; questions that are open by then count as unanswered. Default 8,000. */
  budgetMs?: number;
  /** Milliseconds that one question may take; default 5,000, so that a slow source leaves time for the other. */
  questionMs?: number;
  /** For tests, in place of the rates that the sources allow. */
  requestsPerSecond?: number;
  maxBodyBytes?: number | undefined;
  retryWaitMs?: number | undefined;
  /** Where several processes ask under one address. */
  pace?: Pace | undefined;
  cache?: { maxEntries: number; maxBytes: number };
}

/** What one source said about several identifiers. */
export interface SourceReport {
  source: LiteratureSource;
  /** `answered` only if the source answered for every identifier. */
  state: 'answered' | 'unanswered' | 'not_asked';
  reason: FaultReason | null;
  /** Identifiers that it did not answer for. */
  unanswered: string[];
  /** Papers that it has beyond the limit; null if unknown. */
  beyondLimit: number | null;
  /** ISO 8601: the oldest of its answers that were used. */
  cachedAt: string | null;
  ageSeconds: number | null;
}

export interface FoundMention {
  record: PaperMention;
  paper: Paper;
}

export interface Mentions {
  /** False if some question has no answer; then an empty list does not mean that there is none. */
  complete: boolean;
  /** True if at least one question was answered. */
  anyAnswer: boolean;
  found: FoundMention[];
  sources: SourceReport[];
}

const BUDGET_MS = 8_000;
const QUESTION_MS = 5_000;
const CACHE = { maxEntries: 5_000, maxBytes: 48 * 1024 * 1024 };

/** NCBI allows 3 requests a second from one address without a key and 10 with one; both servers together keep to it. */
const PUBMED_RATE = { anonymous: { index: 2, board: 1 }, keyed: { index: 6, board: 4 } } as const;
/** Europe PMC publishes no limit. */
const EUROPEPMC_RATE = { index: 6, board: 4 } as const;

/** Papers that a verification looks at. */
const CHECK_LIMIT = 20;
/** Limits sent to the sources. A given limit is raised to one of them, so that similar limits share answers. */
const ASKED_LIMITS = [10, 50] as const;

const HOUR_MS = 3_600_000;
/** Papers stay, so a list of them is kept long. An empty answer is kept shorter, since a first paper may appear. */
const KEEP_FOUND_MS = 12 * HOUR_MS;
const KEEP_NONE_MS = HOUR_MS;

/** One of the two is null where a claim does not state it. */
interface Claim {
  pmid: string | null;
  /** Lower case. */
  doi: string | null;
}

interface Answer {
  identifier: string;
  outcome: Outcome;
}

interface Question {
  source: LiteratureSource;
  key: string;
  produce: (signal: AbortSignal) => Promise<Found>;
  /** Whether a paper is one that the question names. */
  isSound: (paper: Paper) => boolean;
}

type Kept = Pick<Extract<Outcome, { state: 'answered' }>, 'value' | 'at'>;

export function openLiterature(options: LiteratureOptions): Literature {
  return new LiteratureClient(options);
}

export type Literature = Pick<LiteratureClient, 'isOn' | 'checkTrial' | 'paper' | 'mentions'>;

/** Asks the sources. Equal questions share one request, answers are kept, and each question has a time limit. */
class LiteratureClient {
  readonly #options: LiteratureOptions;
  readonly #answers: LRUCache<string, Kept, Question>;
  readonly #pubmed: Pubmed;
  readonly #europepmc: EuropePmc;
  readonly #off: Record<LiteratureSource, boolean>;

  constructor(options: LiteratureOptions) {
    const { now, ncbiApiKey, contactEmail, askedBy, cache = CACHE } = options;
    const clientOf = (source: LiteratureSource, baseUrl: string | null, allowed: number): SourceClient => {
      const { requestsPerSecond = allowed, maxBodyBytes, retryWaitMs, pace, budgetMs = BUDGET_MS } = options;
      // Refuse at once what would wait longer than any caller does.
      const maxQueued = Math.ceil((requestsPerSecond * budgetMs) / 1000);
      const bounds = { requestsPerSecond, maxQueued, maxBodyBytes, retryWaitMs };
      return new SourceClient({ source, baseUrl, contactEmail, pace, ...bounds });
    };
    const rate = PUBMED_RATE[ncbiApiKey === null ? 'anonymous' : 'keyed'][askedBy];
    const pubmed = clientOf('pubmed', options.pubmedUrl, rate);
    const europepmc = clientOf('europepmc', options.europepmcUrl, EUROPEPMC_RATE[askedBy]);
    const email = contactEmail === null ? {} : { email: contactEmail };
    this.#options = options;
    this.#pubmed = new Pubmed(pubmed, { ...email, ...(ncbiApiKey !== null && { api_key: ncbiApiKey }) });
    this.#europepmc = new EuropePmc(europepmc, email);
    this.#off = { pubmed: pubmed.isOff, europepmc: europepmc.isOff };
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

  /** False if every source is switched off. */
  get isOn(): boolean {
    return LITERATURE_SOURCES.some((source) => !this.#off[source]);
  }

  /** Looks for what ties the registration to the claimed paper or, without a claim, to any paper. */
  async checkTrial(
    nctId: string,
    { pmid = null, doi = null }: { pmid?: string | null; doi?: string | null },
    signal?: AbortSignal,
  ): Promise<Verification> {
    const claim = pmid === null && doi === null ? null : { pmid, doi: doi?.toLowerCase() ?? null };
    const questions = claim === null ? this.#anyPaper(nctId) : this.#claimedPaper(claim);
    const { outcomes, found } = await this.#askInTurn(questions, signal, (outcome) => {
      const unseen = claim === null ? unseenMatch(outcome) : null;
      // If a DOI is claimed, a paper with another DOI is not the claimed one.
      const isOther = (paper: Paper): boolean => claim?.doi != null && paper.doi !== null && paper.doi !== claim.doi;
      return papersOf(outcome).flatMap((paper) => (isOther(paper) ? [] : (mentionOf(paper, nctId, unseen) ?? [])));
    });
    const now = this.#options.now();
    return {
      class: classOf(found, outcomes, claim !== null),
      papers: found,
      asked: LITERATURE_SOURCES.map((source) => askedOf(source, outcomes, now)),
    };
  }

  /** Whether a paper of this PubMed id, or of this DOI, exists. */
  async paper(of: { pmid: string } | { doi: string }, signal?: AbortSignal): Promise<PaperAnswer> {
    const claim = 'pmid' in of ? { pmid: of.pmid, doi: null } : { pmid: null, doi: of.doi.toLowerCase() };
    const { outcomes } = await this.#askInTurn(this.#claimedPaper(claim), signal, papersOf);
    return paperAnswer(outcomes, this.#options.now());
  }

  /** Papers that name any of the identifiers, at most `limit` of each source for each. */
  async mentions(
    identifiers: readonly string[],
    { limit, signal }: { limit: number; signal?: AbortSignal },
  ): Promise<Mentions> {
    const deadline = this.#deadline(signal);
    const asked = ASKED_LIMITS.find((candidate) => candidate >= limit) ?? limit;
    const answers = await Promise.all(
      identifiers.flatMap((identifier) =>
        [this.#pubmedMentions(identifier, ['si', 'tiab'], asked), this.#europepmcMentions(identifier, asked)].map(
          async (question): Promise<Answer> => ({ identifier, outcome: await this.#ask(question, deadline) }),
        ),
      ),
    );
    const anyAnswer = answers.some(({ outcome }) => outcome.state === 'answered');
    const found = answers.flatMap(({ identifier, outcome }) =>
      papersOf(outcome)
        .slice(0, limit)
        .flatMap((paper) => {
          const record = mentionOf(paper, identifier, unseenMatch(outcome));
          return record === null ? [] : [{ record, paper }];
        }),
    );
    return {
      complete: anyAnswer && answers.every(({ outcome }) => outcome.state !== 'unanswered'),
      anyAnswer,
      found: merged(found),
      sources: LITERATURE_SOURCES.map((source) => this.#report(source, answers, limit)),
    };
  }

  #deadline(signal: AbortSignal | undefined): AbortSignal {
    const budget = AbortSignal.timeout(this.#options.budgetMs ?? BUDGET_MS);
    return signal === undefined ? budget : AbortSignal.any([signal, budget]);
  }

  /** Asks one question after the other until `papersIn` finds something in an outcome. */
  async #askInTurn<Paper>(
    questions: readonly Question[],
    signal: AbortSignal | undefined,
    papersIn: (outcome: Outcome) => Paper[],
  ): Promise<{ outcomes: Outcome[]; found: Paper[] }> {
    const deadline = this.#deadline(signal);
    const outcomes: Outcome[] = [];
    for (const question of questions) {
      // A source that left a question open would only use up the time of the other source.
      if (outcomes.some(({ source, state }) => source === question.source && state === 'unanswered')) continue;
      const outcome = await this.#ask(question, deadline);
      outcomes.push(outcome);
      const found = papersIn(outcome);
      if (found.length > 0) return { outcomes, found };
    }
    return { outcomes, found: [] };
  }

  /** Never rejects because of a source. `deadline` ends the caller's wait; the question goes on for the others. */
  async #ask(question: Question, deadline: AbortSignal): Promise<Outcome> {
    const { source, key } = question;
    if (this.#off[source]) return { state: 'not_asked', source, reason: 'off' };
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
      const found = await produce(AbortSignal.timeout(this.#options.questionMs ?? QUESTION_MS));
      const papers = found.papers.filter(isSound);
      if (papers.length === found.papers.length && (papers.length > 0 || found.total === 0)) return found;
      const fault = new LiteratureFault(source, 'another_id', 'papers that are not what was asked for');
      // If no paper is left, it is unknown whether there is one.
      if (papers.length === 0) throw fault;
      this.#options.onFault?.(fault);
      return { papers, total: papers.length };
    } catch (error) {
      if (error instanceof LiteratureFault) this.#options.onFault?.(error);
      throw error;
    }
  }

  #anyPaper(identifier: string): Question[] {
    return [
      this.#pubmedMentions(identifier, ['si'], CHECK_LIMIT),
      this.#pubmedMentions(identifier, ['tiab'], CHECK_LIMIT),
      this.#europepmcMentions(identifier, CHECK_LIMIT),
    ];
  }

  /** Asks for the paper alone: whether it names the identifier is read from the paper, not from a search for both. */
  #claimedPaper({ pmid, doi }: Claim): Question[] {
    const [word, field]: [string, PubmedField] = pmid === null ? [doi ?? '', 'aid'] : [pmid, 'uid'];
    const isSound = (paper: Paper): boolean => (pmid === null ? paper.doi === doi : paper.pmid === pmid);
    const key = `paper ${field} ${word}`;
    return [
      { source: 'pubmed', key, isSound, produce: (signal) => this.#pubmed.find(word, [field], CHECK_LIMIT, signal) },
      {
        source: 'europepmc',
        key,
        isSound,
        produce: (signal) => this.#europepmc.paper(pmid === null ? { doi: word } : { pmid }, signal),
      },
    ];
  }

  #pubmedMentions(identifier: string, fields: readonly PubmedField[], limit: number): Question {
    return {
      source: 'pubmed',
      key: `${fields.join('+')} ${limit} ${identifier}`,
      isSound: (paper) => namedIn(paper, identifier) !== null,
      produce: (signal) => this.#pubmed.find(identifier, fields, limit, signal),
    };
  }

  #europepmcMentions(identifier: string, limit: number): Question {
    return {
      source: 'europepmc',
      key: `mentions ${limit} ${identifier}`,
      isSound: () => true,
      produce: (signal) => this.#europepmc.mentioning(identifier, limit, signal),
    };
  }

  #report(source: LiteratureSource, answers: readonly Answer[], limit: number): SourceReport {
    const own = answers.filter(({ outcome }) => outcome.source === source);
    const outcomes = own.map(({ outcome }) => outcome);
    const answered = outcomes.filter((outcome) => outcome.state === 'answered');
    const now = this.#options.now();
    const { state, reason } = askedOf(source, outcomes, now);
    const { at, ageSeconds } = askedOf(source, answered, now);
    const beyond = answered.reduce((sum, { value }) => sum + Math.max(0, value.total - limit), 0);
    return {
      source,
      state,
      reason: this.#off[source] ? 'off' : reason,
      unanswered: own.filter(({ outcome }) => outcome.state === 'unanswered').map(({ identifier }) => identifier),
      beyondLimit: state === 'answered' ? beyond : null,
      cachedAt: at,
      ageSeconds,
    };
  }
}

/** The match of a paper whose received text does not show the identifier: Europe PMC searches the methods too. */
function unseenMatch({ source }: Outcome): 'methods' | null {
  return source === 'europepmc' ? 'methods' : null;
}

/** Each paper once, under its strongest match, with the fields that only another source gives. */
function merged(found: readonly FoundMention[]): FoundMention[] {
  const kept: FoundMention[] = [];
  const byId = new Map<string, FoundMention>();
  for (const mention of found) {
    const { pmid, doi, title } = mention.record;
    const ids = [pmid && `pmid ${pmid}`, doi && `doi ${doi}`].filter((id) => id !== null && id !== '') as string[];
    if (ids.length === 0) ids.push(`title ${title}`);
    const known = ids.map((id) => byId.get(id)).find((one) => one !== undefined);
    const one = known ?? { ...mention };
    if (known === undefined) kept.push(one);
    else complete(known, mention);
    for (const id of ids) byId.set(id, one);
  }
  return kept;
}

function complete(known: FoundMention, other: FoundMention): void {
  const [first, second] = [known.record, other.record];
  const isStronger = MATCHED_BY.indexOf(second.matchedBy) < MATCHED_BY.indexOf(first.matchedBy);
  const { matchedIdentifier, matchedBy } = isStronger ? second : first;
  known.record = {
    ...first,
    matchedIdentifier,
    matchedBy,
    pmid: first.pmid ?? second.pmid,
    doi: first.doi ?? second.doi,
    journal: first.journal ?? second.journal,
    year: first.year ?? second.year,
    openAccess: first.openAccess ?? second.openAccess,
    citations: first.citations ?? second.citations,
    isPreprint: first.isPreprint && second.isPreprint,
    retracted: first.retracted || second.retracted,
  };
  const accessions = [...new Set([...known.paper.accessions, ...other.paper.accessions])];
  known.paper = { ...known.paper, accessions, text: `${known.paper.text}\n${other.paper.text}` };
}
