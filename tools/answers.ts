import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `node tools/answers.ts record FOLDER` records what the service answers, and `compare FOLDER` holds a later state of the code against it.
 * The requests are drawn from what the service says of itself (OpenAPI, MCP tools, A2A skills, links of pages), over the sample
 * and over ../shared/registry-data; `compare` sends the recorded ones again. Times are hidden; generated ids may be others, as
 * long as equal ones stand where equal ones stood. A file beside the answers has the row counts and roots of all tables.
 * Nothing is imported from the product, so the same program serves before and after a change of it.
 */

// biome-ignore lint/suspicious/noExplicitAny: descriptions of every shape are read
type Json = any;
type Sent = { method: string; path: string; body?: string; accept?: string };
type Recorded = Sent & { status: number; headers: string; answer: string };

const ROOT = join(import.meta.dirname, '..');
const REAL = join(ROOT, '../shared/registry-data');
const DUMPS = `--ctgov ${REAL}/ctgov/studies.ndjson.gz --isrctn ${REAL}/isrctn/export-2022-04.xml.gz --as-of 2026-11-21`;
const CORPORA = { sample: ['--source', 'sample'], real: ['--source', 'dump', ...DUMPS.split(' ')] };
const OFF = { RATE_LIMITS: 'off', PUBMED_URL: 'off', EUROPEPMC_URL: 'off', LOG_LEVEL: 'error' };
/** Values of a parameter that are tried alone, pairs of parameters of an operation, and pages. */
const [VALUES, PAIRS, PAGES] = [12, 100, 1_500];
const HEADERS = ['content-type', 'cache-control', 'location', 'allow', 'vary', 'content-security-policy', 'link'];
/** A longer answer is kept to the first, with its length, and compared to the second. */
const [ANSWER_CHARACTERS, COMPARED_CHARACTERS] = [40_000, 30_000];
const ACCEPT = 'application/json, text/event-stream';

/** Texts that differ from run to run and that nothing is asked by. */
const HIDDEN: [placeholder: string, pattern: RegExp][] = [
  ['<time>', /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z| UTC)/g],
  ['<hash>', /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b|(?<=-)[0-9a-f]{12}(?=\.(?:css|js)\b)/g],
  ['<receipt>', /\br1\.[\w.-]+/g],
  ['<span>', /\b\d+(?:\.\d+)? (?:ms|seconds?|minutes?|hours?|days?) ago\b|"(?:age|uptime|elapsed|lag)\w*": ?[\d.]+/g],
];
/** Versions, generated ids and secrets. */
const GENERATED =
  /\b\d{8}T\d{6}Z-[0-9a-f]{8}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?!wt_)[a-z]{2,8}_[0-9A-Za-z]{10,}\b|\b[\w-]{43,}\b/g;

/** Hides what differs from run to run. */
function hidden(text: string, origin: string): string {
  const own = text.replaceAll(origin, '<origin>');
  return HIDDEN.reduce((so, [placeholder, pattern]) => so.replaceAll(pattern, placeholder), own);
}

/** An answer with a number for each generated id, by its first place, cut so that longer ids do not move the end. */
function numbered(answer: string): string {
  const seen = new Map<string, string>();
  const numberOf = (id: string): string => {
    if (!seen.has(id)) seen.set(id, `<${seen.size}>`);
    return seen.get(id)!;
  };
  return answer.replaceAll(GENERATED, numberOf).slice(0, COMPARED_CHARACTERS);
}

/** The ids that a recording has, with those that stand in their places now. */
class Ids {
  readonly #now = new Map<string, string>();
  /** Learns from two answers to one request, where both have as many ids. */
  learn(recorded: string, answered: string): void {
    const [before, now] = [recorded.match(GENERATED) ?? [], answered.match(GENERATED) ?? []];
    if (before.length === now.length) for (const [place, id] of before.entries()) this.#now.set(id, now[place]!);
  }
  current(text: string): string {
    return text.replaceAll(GENERATED, (id) => this.#now.get(id) ?? id);
  }
}

type Use = (origin: string, tables: string) => Promise<void>;
/** Publishes a corpus into a folder of its own, serves it, and ends the service after `use`. */
async function serving(corpus: keyof typeof CORPORA, use: Use): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `answers-${corpus}-`));
  const PORT = String(20_000 + (process.pid % 20_000));
  const folders = { DATA_DIR: join(folder, 'data'), SNAPSHOTS_DIR: join(folder, 'snapshots') };
  const options = { cwd: ROOT, env: { ...process.env, ...OFF, ...folders, PORT } };
  const run = ['run', '--silent', 'pipeline', '--', 'run', ...CORPORA[corpus]];
  if (spawnSync('npm', run, { ...options, stdio: 'inherit' }).status !== 0) throw new Error(`no snapshot of ${corpus}`);
  const version = readFileSync(join(folders.SNAPSHOTS_DIR, 'CURRENT'), 'utf8').trim();
  const manifest: Json = JSON.parse(readFileSync(join(folders.SNAPSHOTS_DIR, version, 'manifest.json'), 'utf8'));
  const child = spawn('npm', ['start'], { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  const end = new Promise((resolve) => child.once('exit', resolve));
  const origin = `http://127.0.0.1:${PORT}`;
  try {
    // Two processes start within three minutes, even beside other work.
    for (let tries = 0; !(await fetch(`${origin}/readyz`).catch(() => null))?.ok; tries++) {
      if (tries > 900 || child.exitCode !== null) throw new Error('the service did not become ready');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const tables = Object.entries<Json>(manifest.tables).map(([name, { rows, root }]) => [name, { rows, root }]);
    await use(origin, `${JSON.stringify(Object.fromEntries(tables), null, 1)}\n`);
  } finally {
    child.kill('SIGTERM');
    await end;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(sent: Sent, origin: string): Promise<Recorded> {
  const { method, path, body = null, accept = ACCEPT } = sent;
  const headers = { accept, ...(body === null ? {} : { 'content-type': 'application/json' }) };
  const init = { method, headers, body, redirect: 'manual', signal: AbortSignal.timeout(300_000) } as const;
  const response = await fetch(`${origin}${path}`, init);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (isStream) await response.body?.cancel();
  const text = isStream ? 'a stream' : hidden(await response.text(), origin);
  const answer = text.length > ANSWER_CHARACTERS ? `${text.slice(0, ANSWER_CHARACTERS)}… ${text.length}` : text;
  const named = HEADERS.map((name) => `${name}: ${response.headers.get(name) ?? ''}`).join('\n');
  return { ...sent, status: response.status, headers: hidden(named, origin), answer };
}

const WORDS = ['diabetes', 'NCT00000102', '2020-01-01', '7', '-1', 'constructor', ''];
const SKILL_INPUTS = [{}, { q: 'diabetes' }, { limit: 2 }];

/** Values of one parameter: those that its schema names, then some that it may not understand. */
function valuesOf(schema: Json = {}): string[] {
  const { enum: listed = [], const: only, anyOf = [], items, examples = [], minimum, maximum, default: usual } = schema;
  const named = [...listed, only, ...examples, usual, minimum, maximum].filter((value) => value != null).map(String);
  const inner = [...anyOf, ...(items ? [items] : [])].flatMap((part: Json) => valuesOf(part));
  return [...new Set([...named, ...inner, ...(schema.type === 'boolean' ? ['true', 'false'] : []), ...WORDS])];
}

let state = 20_261_128;
/** One of a list, the same in every run. */
function pick<T>(list: readonly T[]): T {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return list[Math.floor((state / 2 ** 32) * list.length)]!;
}

/** Requests of one REST operation: each parameter alone, pairs of them, or its example body with each field changed. */
function operationRequests(path: string, method: string, operation: Json, trials: readonly string[]): Sent[] {
  const parameters: Json[] = operation.parameters ?? [];
  const query = parameters.filter((one) => one.in === 'query').map((one) => [one.name, valuesOf(one.schema)] as const);
  const valueInPath = (_: string, name: string): string => {
    const schema = parameters.find((one) => one.name === name)?.schema;
    return encodeURIComponent(pick(name === 'canonicalId' || name === 'id' ? trials : valuesOf(schema)));
  };
  const sent = (pairs: [string, string][], body?: Json): Sent => {
    const asked = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
    const to = { method: method.toUpperCase(), path: path.replaceAll(/\{(\w+)\}/g, valueInPath) + asked };
    return body === undefined ? to : { ...to, body: JSON.stringify(body) };
  };
  const example = operation.requestBody?.content?.['application/json']?.example;
  if (operation.requestBody !== undefined) {
    const wrong = [null, '', 7, 'constructor', []];
    const changed = Object.keys(example ?? {}).flatMap((key) => wrong.map((value) => ({ ...example, [key]: value })));
    return [example ?? {}, example ?? {}, {}, [], ...changed].map((body) => sent([], body));
  }
  if (method !== 'get') return [sent([])];
  const single = query.flatMap(([name, values]) => values.slice(0, VALUES).map((value) => sent([[name, value]])));
  const pairs = Array.from({ length: query.length < 2 ? 0 : PAIRS }, () =>
    sent([pick(query), pick(query)].map(([name, values]) => [name, pick(values)])),
  );
  return [sent([]), sent([['unknown', '1']]), ...single, ...pairs];
}

function rpc(path: string, method: string, params: Json): Sent {
  return { method: 'POST', path, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) };
}
const callOf = (name: string, given: Json): Sent => rpc('/api/v1/mcp', 'tools/call', { name, arguments: given });
const messageOf = (skill: string, given: Json): Sent => {
  const parts = [{ kind: 'data', data: { skill, ...given } }];
  return rpc('/api/v1/a2a', 'message/send', { message: { role: 'user', kind: 'message', messageId: skill, parts } });
};

/** Every request that is drawn, but for pages, which are found by their links. */
async function drawn(origin: string): Promise<Sent[]> {
  const json = async ({ path, ...init }: Sent): Promise<Json> => {
    const headers = { accept: ACCEPT, 'content-type': 'application/json' };
    return (await fetch(`${origin}${path}`, { ...init, headers })).json();
  };
  const get = (path: string): Promise<Json> => json({ method: 'GET', path });
  const { paths, components } = await get('/api/v1/openapi.json');
  const resolved = (one: Json): Json => (one.$ref ? components.parameters[one.$ref.split('/').at(-1)] : one);
  const trials = (await get('/api/v1/trials/search?pageSize=40')).data.trials.map((trial: Json) => trial.canonicalId);
  const tools: Json[] = (await json(rpc('/api/v1/mcp', 'tools/list', {}))).result.tools;
  const skills: Json[] = (await get('/.well-known/agent-card.json')).skills;
  const operations = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).flatMap(([method, operation]) => {
      const parameters = (operation.parameters ?? []).map(resolved);
      return operationRequests(path, method, { ...operation, parameters }, trials);
    }),
  );
  const calls = tools.flatMap(({ name, inputSchema }) => {
    const fields = Object.entries<Json>(inputSchema.properties ?? {});
    const few = fields.map(([key, schema]) => [key, valuesOf(schema).slice(0, VALUES)] as const);
    const single = few.flatMap(([key, values]) => values.map((value) => callOf(name, { [key]: value })));
    return [callOf(name, {}), ...single];
  });
  const messages = skills.flatMap(({ id }) => SKILL_INPUTS.map((given) => messageOf(id, given)));
  return [...operations, rpc('/api/v1/mcp', 'tools/list', {}), ...calls, ...messages];
}

async function record(corpus: keyof typeof CORPORA, file: string): Promise<void> {
  await serving(corpus, async (origin, tables) => {
    writeFileSync(file, '');
    writeFileSync(`${file}.tables.json`, tables);
    const keep = async (sent: Sent): Promise<string> => {
      const recorded = await ask(sent, origin);
      appendFileSync(file, `${JSON.stringify(recorded)}\n`);
      return recorded.answer;
    };
    for (const sent of await drawn(origin)) await keep(sent);
    const pages = new Set(['/']);
    for (const path of pages) {
      const text = await keep({ method: 'GET', path, accept: 'text/html' });
      for (const [, href] of text.matchAll(/href="(\/[^"#]*)/g)) {
        if (pages.size < PAGES) pages.add(href!.replaceAll('&amp;', '&'));
      }
    }
  });
}

/** Sends the recorded requests again and prints what differs, one example of each kind. */
async function compare(corpus: keyof typeof CORPORA, file: string): Promise<void> {
  await serving(corpus, async (origin, tables) => {
    const ids = new Ids();
    const examples = new Map<string, string[]>();
    for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
      const { status, headers, answer, ...sent } = JSON.parse(line) as Recorded;
      const body = sent.body === undefined ? {} : { body: ids.current(sent.body) };
      const found = await ask({ ...sent, ...body, path: ids.current(sent.path) }, origin);
      ids.learn(headers + answer, found.headers + found.answer);
      const before = { status, headers: numbered(headers), answer: numbered(answer) };
      const now = { status: found.status, headers: numbered(found.headers), answer: numbered(found.answer) };
      const differing = (['status', 'headers', 'answer'] as const).filter((part) => before[part] !== now[part]);
      if (differing.length === 0) continue;
      const kind = `${sent.method} ${sent.path.split('?')[0]!.replaceAll(/wt_\w+/g, '{trial}')}: ${differing.join(', ')}`;
      let at = 0;
      while (at < before.answer.length && before.answer[at] === now.answer[at]) at++;
      const part = (text: string): string => text.slice(Math.max(0, at - 80), at + 160);
      const example = `${sent.path} ${sent.body ?? ''}\n  - ${status} ${part(before.answer)}\n  + ${now.status} ${part(now.answer)}`;
      examples.set(kind, [...(examples.get(kind) ?? []), example]);
    }
    for (const [kind, [first, ...others]] of examples) console.log(`${others.length + 1} × ${kind}\n  ${first}`);
    console.log(`${corpus}: ${[...examples.values()].flat().length} answers differ`);
    const areSame = readFileSync(`${file}.tables.json`, 'utf8') === tables;
    console.log(`${corpus}: the tables ${areSame ? 'are the same' : `differ\n${tables}`}`);
  });
}

const [task, folder] = process.argv.slice(2);
if ((task !== 'record' && task !== 'compare') || folder === undefined) {
  throw new Error('usage: node tools/answers.ts record|compare FOLDER');
}
mkdirSync(folder, { recursive: true });
for (const corpus of ['sample', 'real'] as const) {
  if (corpus === 'real' && !existsSync(REAL)) continue;
  await (task === 'record' ? record : compare)(corpus, join(folder, `${corpus}.ndjson`));
}
