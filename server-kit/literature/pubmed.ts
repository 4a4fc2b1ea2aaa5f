import { z } from 'zod';
import type { Paper } from './paper.ts';
import type { PubmedArticles } from './pubmed-xml.ts';
import type { SourceClient } from './source-client.ts';

export interface Found {
  /** In the order of the source. */
  papers: Paper[];
  /** How many papers the source counts, including those beyond `limit`. */
  total: number;
}

/** esearch with `retmode=json`: https://www.ncbi.nlm.nih.gov/books/NBK25499/ */
const searchAnswer = z.object({
  esearchresult: z.object({
    count: z.string().regex(/^\d{1,9}$/),
    idlist: z.array(z.string().regex(/^[1-9]\d{0,8}$/)),
    ERROR: z.undefined().optional(),
  }),
});

/** The search fields of PubMed that are asked. */
export type PubmedField = 'si' | 'tiab' | 'uid' | 'aid';

/** PubMed through E-utilities: esearch for the ids, then efetch for the papers. Both reject with LiteratureFault. */
export class Pubmed {
  readonly #client: SourceClient;
  readonly #common: Readonly<Record<string, string>>;

  /** `caller` names who asks, in the parameters of the source. */
  constructor(client: SourceClient, caller: Readonly<Record<string, string>>) {
    this.#client = client;
    this.#common = { db: 'pubmed', tool: 'trial-board', ...caller };
  }

  /** Papers that PubMed finds for a word in any of the fields. The caller checks whether they contain it. */
  async find(word: string, fields: readonly PubmedField[], limit: number, signal: AbortSignal): Promise<Found> {
    const term = fields.map((field) => `"${word.replaceAll(/["\\]/g, '')}"[${field}]`).join(' OR ');
    const { pmids, total } = await this.#search(term, limit, signal);
    return { papers: pmids.length === 0 ? [] : await this.#fetch(pmids, signal), total };
  }

  async #search(term: string, limit: number, signal: AbortSignal): Promise<{ pmids: string[]; total: number }> {
    const query = { ...this.#common, term, retmode: 'json', retmax: String(limit) };
    const body = await this.#client.get('/esearch.fcgi', query, signal);
    const answer = searchAnswer.safeParse(jsonOf(body));
    if (!answer.success) throw this.#client.fault('malformed', 'not an esearch answer');
    const { count, idlist } = answer.data.esearchresult;
    const pmids = [...new Set(idlist)];
    const total = Number(count);
    if (pmids.length > total) throw this.#client.fault('malformed', 'more ids than were counted');
    if (pmids.length < Math.min(total, limit)) throw this.#client.fault('partial', 'fewer ids than were counted');
    return { pmids: pmids.slice(0, limit), total };
  }

  async #fetch(pmids: readonly string[], signal: AbortSignal): Promise<Paper[]> {
    const query = { ...this.#common, id: pmids.join(','), retmode: 'xml' };
    const { papers, otherPmids } = await this.#articles(await this.#client.get('/efetch.fcgi', query, signal));
    const byPmid = new Map(papers.map((paper) => [paper.pmid, paper]));
    if ([...byPmid.keys()].some((pmid) => pmid === null || !pmids.includes(pmid))) {
      throw this.#client.fault('another_id', 'articles that were not asked for');
    }
    const missing = pmids.filter((pmid) => !byPmid.has(pmid) && !otherPmids.includes(pmid));
    if (missing.length > 0)
      throw this.#client.fault('partial', `${missing.length} of ${pmids.length} articles missing`);
    return pmids.flatMap((pmid) => byPmid.get(pmid) ?? []);
  }

  async #articles(xml: string): Promise<PubmedArticles> {
    // Loaded with the first answer, so that no start waits for the XML parser.
    const { PubmedXmlError, parsePubmedXml } = await import('./pubmed-xml.ts');
    try {
      return parsePubmedXml(xml);
    } catch (error) {
      if (error instanceof PubmedXmlError) throw this.#client.fault('malformed', error.message);
      throw error;
    }
  }
}

/** The value; undefined if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
