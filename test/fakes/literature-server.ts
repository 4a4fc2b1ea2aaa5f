import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

/**
 * PubMed's E-utilities and Europe PMC's search on 127.0.0.1, for the queries of this project, over papers and with faults that a test
 * gives. `faults` may be changed while it runs; a fault without `times` stays.
 */
export interface FakePaper {
  pmid?: string;
  doi?: string;
  title: string;
  abstract?: string;
  /** Full text that only Europe PMC searches. */
  methods?: string;
  databanks?: Record<string, string[]>;
  types?: string[];
  journal?: string;
  year?: number;
  openAccess?: boolean;
  citations?: number;
  /** Sources that hold the paper; both by default. */
  in?: ('pubmed' | 'europepmc')[];
}

export type Endpoint = 'esearch' | 'efetch' | 'search';

export type FakeFault = { endpoint: Endpoint; times?: number } & (
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'html' }
  | { kind: 'body'; body: string }
  /** Answers with the papers found, but under ids that nobody asked for. */
  | { kind: 'other-ids' }
  /** Counts all papers found and returns one less. */
  | { kind: 'partial' }
  /** Announces the full length and cuts the connection after half the body. */
  | { kind: 'cut' }
  /** Sends one byte, then nothing. */
  | { kind: 'drip' }
  | { kind: 'huge'; bytes: number }
  | { kind: 'down' }
);

export interface FakeLiterature extends AsyncDisposable {
  pubmedUrl: string;
  europepmcUrl: string;
  papers: FakePaper[];
  faults: FakeFault[];
  /** Path and query of every request, decoded, in order. */
  requests: string[];
  /** Arrival of each request, in milliseconds since the epoch. */
  times: number[];
  agents: Set<string>;
  close(): Promise<void>;
}

export async function startFakeLiterature(papers: FakePaper[] = []): Promise<FakeLiterature> {
  const server = createServer((request, response) => answer(fake, request, response));
  const fake: FakeLiterature = {
    pubmedUrl: '',
    europepmcUrl: '',
    papers,
    faults: [],
    requests: [],
    times: [],
    agents: new Set(),
    close: () => close(),
    [Symbol.asyncDispose]: () => fake.close(),
  };
  const { url: origin, close } = await listening(server);
  fake.pubmedUrl = `${origin}/pubmed`;
  fake.europepmcUrl = `${origin}/europepmc`;
  return fake;
}

const PATHS: Record<string, Endpoint> = {
  '/pubmed/esearch.fcgi': 'esearch',
  '/pubmed/efetch.fcgi': 'efetch',
  '/europepmc/search': 'search',
};

function answer(fake: FakeLiterature, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', fake.pubmedUrl);
  fake.requests.push(`${url.pathname}?${[...url.searchParams].map((pair) => pair.join('=')).join('&')}`);
  fake.times.push(Date.now());
  fake.agents.add(request.headers['user-agent'] ?? '');
  const endpoint = PATHS[url.pathname];
  if (endpoint === undefined) {
    response.writeHead(404).end('no such path');
    return;
  }
  misbehave(fake, takeFault(fake, endpoint), { endpoint, query: url.searchParams, request, response });
}

function takeFault(fake: FakeLiterature, endpoint: Endpoint): FakeFault | undefined {
  const fault = fake.faults.find((one) => one.endpoint === endpoint && one.times !== 0);
  if (fault?.times !== undefined) fault.times--;
  return fault;
}

const REGULAR = { esearch, efetch, search: europepmcPage };

interface Asked {
  endpoint: Endpoint;
  query: URLSearchParams;
  request: IncomingMessage;
  response: ServerResponse;
}

function misbehave(fake: FakeLiterature, fault: FakeFault | undefined, asked: Asked): void {
  const { endpoint, query, request, response } = asked;
  const type = endpoint === 'efetch' ? 'text/xml; charset=UTF-8' : 'application/json; charset=UTF-8';
  switch (fault?.kind) {
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'text/plain', ...fault.headers }).end('no');
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html>Maintenance</html>');
      return;
    case 'body':
      response.writeHead(200, { 'content-type': type }).end(fault.body);
      return;
    case 'huge':
      response.writeHead(200, { 'content-type': type }).end(Buffer.alloc(fault.bytes, ' '));
      return;
    case 'drip':
      response.writeHead(200, { 'content-type': type }).write('{');
      return;
    case 'down':
      request.socket.destroy();
      return;
    default: {
      const body = Buffer.from(REGULAR[endpoint](fake, query, fault));
      if (fault?.kind === 'cut') {
        response.writeHead(200, { 'content-type': type, 'content-length': body.length + 10 });
        response.write(body.subarray(0, body.length / 2), () => response.destroy());
      } else response.writeHead(200, { 'content-type': type }).end(body);
    }
  }
}

function heldBy(fake: FakeLiterature, source: 'pubmed' | 'europepmc'): FakePaper[] {
  return fake.papers.filter((paper) => (paper.in ?? ['pubmed', 'europepmc']).includes(source));
}

const has = (text: string | undefined, word: string): boolean =>
  text?.toLowerCase().includes(word.toLowerCase()) ?? false;

function esearch(fake: FakeLiterature, query: URLSearchParams, fault: FakeFault | undefined): string {
  const terms = [...(query.get('term') ?? '').matchAll(/"([^"]*)"\[(\w+)\]/g)];
  const hits = heldBy(fake, 'pubmed').filter((paper) =>
    terms.some(([, word = '', field]) => {
      if (field === 'si')
        return Object.values(paper.databanks ?? {})
          .flat()
          .some((id) => id === word);
      if (field === 'tiab') return has(paper.title, word) || has(paper.abstract, word);
      return field === 'uid' ? paper.pmid === word : has(paper.doi, word);
    }),
  );
  const ids = hits.slice(0, Number(query.get('retmax') ?? 20)).map(({ pmid }) => pmid);
  const given = fault?.kind === 'partial' ? ids.slice(1) : ids;
  return JSON.stringify({
    header: { type: 'esearch', version: '0.3' },
    esearchresult: {
      count: String(hits.length),
      retmax: String(given.length),
      retstart: '0',
      idlist: fault?.kind === 'other-ids' ? ['90000001'] : given,
      ...(fault?.kind === 'other-ids' ? { count: '1' } : {}),
      querytranslation: query.get('term'),
    },
  });
}

function efetch(fake: FakeLiterature, query: URLSearchParams, fault: FakeFault | undefined): string {
  const ids = (query.get('id') ?? '').split(',');
  const papers = ids.map((id): FakePaper => {
    const held = heldBy(fake, 'pubmed').find(({ pmid }) => pmid === id);
    return held ?? { pmid: id, title: 'A paper about something else' };
  });
  const given = fault?.kind === 'partial' ? papers.slice(1) : papers;
  const articles = given.map((paper) => article(fault?.kind === 'other-ids' ? { ...paper, pmid: '91919191' } : paper));
  return `<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>${articles.join('\n')}</PubmedArticleSet>`;
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function article(paper: FakePaper): string {
  const banks = Object.entries(paper.databanks ?? {}).map(
    ([name, ids]) =>
      `<DataBank><DataBankName>${xml(name)}</DataBankName><AccessionNumberList>${ids
        .map((id) => `<AccessionNumber>${xml(id)}</AccessionNumber>`)
        .join('')}</AccessionNumberList></DataBank>`,
  );
  const types = (paper.types ?? ['Journal Article']).map(
    (type) => `<PublicationType UI="D0">${xml(type)}</PublicationType>`,
  );
  const abstract = paper.abstract
    ? `<Abstract><AbstractText Label="METHODS">${xml(paper.abstract)}</AbstractText></Abstract>`
    : '';
  const doi = paper.doi ? `<ArticleId IdType="doi">${xml(paper.doi)}</ArticleId>` : '';
  return `<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">${paper.pmid}</PMID><Article PubModel="Print">
<Journal><JournalIssue CitedMedium="Internet"><PubDate><Year>${paper.year ?? 2020}</Year></PubDate></JournalIssue>
<Title>${xml(paper.journal ?? 'A Journal')}</Title></Journal><ArticleTitle>${xml(paper.title)}</ArticleTitle>${abstract}
${banks.length > 0 ? `<DataBankList CompleteYN="Y">${banks.join('')}</DataBankList>` : ''}
<PublicationTypeList>${types.join('')}</PublicationTypeList></Article></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">${paper.pmid}</ArticleId>${doi}</ArticleIdList>
<ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.1000/cited</ArticleId></ArticleIdList></Reference></ReferenceList>
</PubmedData></PubmedArticle>`;
}

function europepmcPage(fake: FakeLiterature, query: URLSearchParams, fault: FakeFault | undefined): string {
  const asked = query.get('query') ?? '';
  const clauses = [...asked.matchAll(/(TITLE|ABSTRACT|METHODS|EXT_ID|DOI):"([^"]*)"/g)];
  const hits = heldBy(fake, 'europepmc').filter((paper) =>
    clauses.some(([, field, word = '']) => {
      if (field === 'TITLE') return has(paper.title, word);
      if (field === 'ABSTRACT') return has(paper.abstract, word);
      if (field === 'METHODS') return has(paper.methods, word);
      return field === 'EXT_ID' ? paper.pmid === word : paper.doi?.toLowerCase() === word.toLowerCase();
    }),
  );
  const from = query.get('cursorMark') === '*' ? 0 : Number(query.get('cursorMark')?.slice(1));
  const size = Number(query.get('pageSize') ?? 25);
  const page = hits.slice(from, from + size);
  const given = fault?.kind === 'partial' ? page.slice(1) : page;
  const lies = fault?.kind === 'other-ids';
  return JSON.stringify({
    version: '6.9',
    hitCount: lies ? 1 : hits.length,
    ...(from + size < hits.length
      ? { nextCursorMark: `c${from + size}` }
      : { nextCursorMark: query.get('cursorMark') }),
    request: { queryString: lies ? 'TITLE:"NCT99999998"' : asked, resultType: 'core', cursorMark: '*', pageSize: size },
    resultList: { result: lies ? [result({ title: 'Another', pmid: '5' }, 0)] : given.map(result) },
  });
}

function result(paper: FakePaper, at: number): object {
  return {
    id: paper.pmid ?? `PPR${at + 1}`,
    source: paper.pmid === undefined ? 'PPR' : 'MED',
    ...(paper.pmid === undefined ? {} : { pmid: paper.pmid }),
    ...(paper.doi === undefined ? {} : { doi: paper.doi }),
    title: `${paper.title}.`,
    journalInfo: { journal: { title: paper.journal ?? 'A Journal' } },
    pubYear: String(paper.year ?? 2020),
    ...(paper.abstract === undefined ? {} : { abstractText: `<h4>Methods</h4>${paper.abstract}` }),
    isOpenAccess: paper.openAccess ? 'Y' : 'N',
    citedByCount: paper.citations ?? 0,
    pubTypeList: { pubType: (paper.types ?? ['Journal Article']).map((type) => type.toLowerCase()) },
  };
}
