import { z } from 'zod';
import { doiOf, type Paper, pmidOf, searchedText, shownTitle, yearOf } from './paper.ts';
import { type Found, jsonOf } from './pubmed.ts';
import type { SourceClient } from './source-client.ts';

const text = z.string().max(1_000_000).optional();

const resultSchema = z.object({
  id: z.string().min(1).max(200),
  source: z.string().max(20),
  pmid: text,
  doi: text,
  title: text,
  abstractText: text,
  pubYear: text,
  isOpenAccess: z.enum(['Y', 'N']).optional(),
  citedByCount: z.int().min(0).optional(),
  journalInfo: z.object({ journal: z.object({ title: text }).optional() }).optional(),
  pubTypeList: z.object({ pubType: z.array(z.string()).optional() }).optional(),
});

/** Answer of `search` with `format=json`: https://europepmc.org/RestfulWebService */
const searchAnswer = z.object({
  hitCount: z.int().min(0),
  nextCursorMark: z.string().max(2_000).optional(),
  request: z.object({ queryString: z.string() }),
  resultList: z.object({ result: z.array(resultSchema) }),
});
type SearchAnswer = z.output<typeof searchAnswer>;

/** Most pages read for one question; a further page is read if one has fewer papers than asked for. */
const PAGES_MAX = 3;
/** Europe PMC may list one paper as article and as preprint. */
const PAPER_LIMIT = 5;

interface Question {
  query: string;
  /** The source repeats the question in its answer, and this word must be in it. */
  word: string;
  limit: number;
}

/** Europe PMC's search. Rejects with LiteratureFault. */
export class EuropePmc {
  readonly #client: SourceClient;
  readonly #caller: Readonly<Record<string, string>>;

  /** `caller` names who asks, in the parameters of the source. */
  constructor(client: SourceClient, caller: Readonly<Record<string, string>>) {
    this.#client = client;
    this.#caller = caller;
  }

  /** Papers that name the identifier in title, abstract or methods: one that is only in a reference list is left out. */
  mentioning(identifier: string, limit: number, signal: AbortSignal): Promise<Found> {
    const phrase = quoted(identifier);
    const query = `(TITLE:${phrase} OR ABSTRACT:${phrase} OR METHODS:${phrase})`;
    return this.#find({ query, word: identifier, limit }, signal);
  }

  /** The paper of this PubMed id or DOI. */
  paper(of: { pmid: string } | { doi: string }, signal: AbortSignal): Promise<Found> {
    const [query, word] =
      'pmid' in of ? [`EXT_ID:${quoted(of.pmid)} AND SRC:MED`, of.pmid] : [`DOI:${quoted(of.doi)}`, of.doi];
    return this.#find({ query, word, limit: PAPER_LIMIT }, signal);
  }

  async #find(question: Question, signal: AbortSignal): Promise<Found> {
    const { limit } = question;
    const papers = new Map<string, Paper>();
    let cursor = '*';
    for (let page = 1; page <= PAGES_MAX; page++) {
      const answer = await this.#page(question, cursor, signal);
      for (const result of answer.resultList.result) papers.set(`${result.source} ${result.id}`, paperOf(result));
      const total = answer.hitCount;
      if (papers.size > total) throw this.#client.fault('malformed', 'more papers than were counted');
      if (papers.size >= Math.min(total, limit)) return { papers: [...papers.values()].slice(0, limit), total };
      if (answer.nextCursorMark === undefined || answer.nextCursorMark === cursor) break;
      cursor = answer.nextCursorMark;
    }
    throw this.#client.fault('partial', 'fewer papers than were counted');
  }

  async #page({ query, word, limit }: Question, cursorMark: string, signal: AbortSignal): Promise<SearchAnswer> {
    const fields = { query, format: 'json', resultType: 'core', pageSize: String(limit), cursorMark, ...this.#caller };
    const body = await this.#client.get('/search', fields, signal);
    const answer = searchAnswer.safeParse(jsonOf(body));
    if (!answer.success) throw this.#client.fault('malformed', 'not a search answer');
    // The received text does not show a match in the methods, so at least the question must be this one.
    if (!plain(answer.data.request.queryString).includes(plain(quoted(word)))) {
      throw this.#client.fault('another_id', 'an answer to another question');
    }
    return answer.data;
  }
}

function plain(query: string): string {
  return query.toLowerCase().replace(/\s+/g, '');
}

function quoted(word: string): string {
  return `"${word.replaceAll(/["\\]/g, '')}"`;
}

function paperOf(result: SearchAnswer['resultList']['result'][number]): Paper {
  const types = (result.pubTypeList?.pubType ?? []).map((type) => type.toLowerCase());
  const title = withoutTags(result.title ?? '');
  return {
    source: 'europepmc',
    pmid: pmidOf(result.pmid ?? (result.source === 'MED' ? result.id : null)),
    doi: doiOf(result.doi ?? null),
    title: shownTitle(title),
    journal: result.journalInfo?.journal?.title ?? null,
    year: yearOf(result.pubYear ?? null),
    openAccess: result.isOpenAccess === undefined ? null : result.isOpenAccess === 'Y',
    citations: result.citedByCount ?? null,
    isPreprint: result.source === 'PPR' || types.includes('preprint'),
    retracted: types.includes('retracted publication'),
    accessions: [],
    text: searchedText([title, withoutTags(result.abstractText ?? '')]),
  };
}

/** Europe PMC sets titles and abstracts with HTML tags. */
function withoutTags(text: string): string {
  return text.replace(/<\/?[a-z][a-z0-9]{0,9}(?:\s[^<>]{0,200})?\/?>/gi, ' ');
}
