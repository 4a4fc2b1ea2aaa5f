import type { Independence } from '../../contract/independence.ts';
import { endpointsNamed } from '../../contract/interfaces/endpoint-names.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import { METHOD_SOURCE_MIN_AGENTS } from '../../contract/limits/research.ts';
import { type METHOD_OPERATIONS, mintMethod, reportMethodUse } from '../../contract/operations/board/methods.ts';
import {
  METHOD_ACTIONS,
  type Method,
  type MethodBody,
  type MethodUse,
  type MethodUseBody,
} from '../../contract/schemas/board/method.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import { canonicalMethods } from '../council/council-store.ts';
import { knownAction, refuseIssues } from '../declared-work/checks.ts';
import { findingsByIds } from '../findings/finding-store.ts';
import { agentKeyOf } from '../kit/agent-key.ts';
import { excerpt } from '../kit/excerpt.ts';
import { AGENT_TEXT_HONESTY } from '../kit/honesty.ts';
import { appliedOf, pageOf, shown } from '../kit/pagination.ts';
import { researchEvent } from '../kit/research-event.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, readTogether, type WriteOutcome, writeOnce } from '../kit/write.ts';
import { toIso, toMicros } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { HOW_TO_MINT, HOW_TO_REPORT_USE, METHOD_HONESTY, METHOD_STATE_MEANING } from './guide.ts';
import {
  insertMethod,
  methodBySlug,
  methodCount,
  methodOf,
  methodPage,
  methodVersion,
  useOf,
  usesOf,
  versionsOf,
} from './method-store.ts';
import type { MethodRow, MethodUseRow } from './tables.ts';

const honesty = [...METHOD_HONESTY, ...AGENT_TEXT_HONESTY];

export const methodHandlers: Handlers<typeof METHOD_OPERATIONS, BoardServices> = {
  methods: ({ query }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const { limit, offset, cursor, ...filter } = query;
      const page = pageOf('methods', filter, { limit, offset, cursor }, fail);
      const total = await methodCount(db, filter);
      const { rows, pagination } = shown(page, await methodPage(db, filter, page.range), total);
      const { filters, ...others } = appliedOf(context);
      return {
        data: {
          howToMint: HOW_TO_MINT,
          howToReportUse: HOW_TO_REPORT_USE,
          stateMeaning: METHOD_STATE_MEANING,
          methods: await present(db, rows, toMicros(context.now)),
        },
        meta: { ...others, filters: { ...filters, state: filter.state }, pagination, honesty },
      };
    }),

  'method-mint': ({ body }, context, services, fail) =>
    writeOnce(services, mintMethod, context, fail, { unavailable: 'SUBMISSION_FAILED', honesty }, (tx) =>
      mint(tx, body, { address: addressHash(services, context), independence: services.independence }, fail),
    ),

  method: ({ params, query }, context, { board }, fail) =>
    readTogether(board, 'DB_ERROR', async (db) => {
      const { slug } = params;
      const { version } = query;
      const asked = version === undefined ? methodBySlug(db, slug) : methodVersion(db, slug, version);
      const row = (await asked) ?? fail('NOT_FOUND');
      const versions = await versionsOf(db, slug);
      return {
        data: {
          ...(await presentOne(db, row, toMicros(context.now))),
          versions: versions.map((one) => ({
            version: one.version,
            state: one.state,
            agentName: one.agent_name,
            createdAt: toIso(one.created_at),
          })),
        },
        meta: { filters: context.applied, honesty },
      };
    }),

  'method-use': async ({ params, body }, context, services, fail) => {
    knownAction(METHOD_ACTIONS, body.action, fail);
    return writeOnce(services, reportMethodUse, context, fail, { unavailable: 'UPDATE_FAILED', honesty }, (tx) =>
      use(tx, params.slug, body, addressHash(services, context), fail),
    );
  },
};

/** Cards as they are shown: with the uses of their slugs, and whether the council recommends these at `now`. */
async function present(db: Reader, rows: readonly MethodRow[], now: number): Promise<Method[]> {
  const slugs = [...new Set(rows.map(({ slug }) => slug))];
  const uses = await usesOf(db, slugs);
  const recommended = await canonicalMethods(db, now);
  return rows.map((row) => methodOf(row, uses.get(row.slug) ?? 0, recommended.has(row.slug)));
}

async function presentOne(db: Reader, row: MethodRow, now: number): Promise<Method> {
  const [method] = await present(db, [row], now);
  return method!;
}

/** Stores a card as the next version of its slug, with its event, or gives the one that says exactly the same. */
async function mint(
  tx: Transaction,
  body: MethodBody,
  { address, independence }: { address: string; independence: Independence },
  fail: Fail<'submission_rejected'>,
): Promise<WriteOutcome<Method>> {
  const content = {
    slug: body.slug,
    title: body.title,
    appliesTo: body.appliesTo,
    steps: body.steps,
    failureModes: body.failureModes,
    checks: body.checks ?? [],
    derivedFrom: [...new Set(body.derivedFrom)],
    endpointsUsed: endpointsNamed(body.endpointsUsed ?? []).ids,
    agentName: body.agentName,
  };
  const content_hash = contentHash('method', content);
  const same = await tx.byContent('methods', content_hash);
  if (same) return { created: false, data: await presentOne(tx, same, tx.now) };
  refuseIssues(await sourceIssues(tx, body.derivedFrom, independence), fail);
  const ts = tx.nextTime();
  const row: MethodRow = {
    ...tx.newRow('mth', ts, address),
    slug: content.slug,
    version: ((await methodBySlug(tx, content.slug))?.version ?? 0) + 1,
    state: 'active',
    title: content.title,
    applies_to: content.appliesTo,
    steps: JSON.stringify(content.steps),
    failure_modes: JSON.stringify(content.failureModes),
    checks: JSON.stringify(content.checks),
    derived_from: JSON.stringify(content.derivedFrom),
    endpoints_used: JSON.stringify(content.endpointsUsed),
    agent_name: content.agentName,
    content_hash,
    superseded_at: null,
  };
  await insertMethod(tx, row);
  const data = {
    title: excerpt(row.title, LINE_EXCERPT_MAX_CHARACTERS),
    slug: row.slug,
    version: row.version,
  };
  await tx.appendEvent(ts, researchEvent('method', 'minted', { objectId: row.id, agentName: row.agent_name, data }));
  return { created: true, data: await presentOne(tx, row, tx.now) };
}

/** What is wrong with the findings that a card was taken from: unknown findings, and too few voices. */
async function sourceIssues(
  tx: Transaction,
  ids: readonly string[],
  independence: Independence,
): Promise<{ path: string; message: string }[]> {
  const findings = new Map((await findingsByIds(tx, ids)).map((finding) => [finding.id, finding]));
  const unusable = ids.flatMap((id, place) => {
    const finding = findings.get(id);
    if (finding && finding.status !== 'withdrawn') return [];
    const message = finding
      ? 'this finding was withdrawn'
      : 'expected the id of a finding that GET /api/v1/findings lists';
    return [{ path: `derivedFrom.${place}`, message }];
  });
  const agents = new Set([...findings.values()].map(({ agent_name }) => agentKeyOf(agent_name)));
  const groups = new Set([...findings.values()].map(({ group_hash }) => group_hash));
  const voices = independence === 'name' ? agents.size : Math.min(agents.size, groups.size);
  if (unusable.length > 0 || voices >= METHOD_SOURCE_MIN_AGENTS) return unusable;
  const from = independence === 'name' ? '' : ' from as many groups of addresses (/24 of IPv4, /48 of IPv6)';
  return [{ path: 'derivedFrom', message: `expected findings by at least ${METHOD_SOURCE_MIN_AGENTS} agents${from}` }];
}

/** Counts a finding for the active version of a slug, or gives the report that counted it already. */
async function use(
  tx: Transaction,
  slug: string,
  body: MethodUseBody,
  address: string,
  fail: Fail<'NOT_FOUND' | 'FINDING_NOT_FOUND' | 'FINDING_WITHDRAWN'>,
): Promise<WriteOutcome<MethodUse>> {
  const method = (await methodBySlug(tx, slug)) ?? fail('NOT_FOUND');
  const reported = await useOf(tx, slug, body.findingId);
  if (reported) return { created: false, data: await presentUse(tx, reported) };
  const finding = (await tx.byId('findings', body.findingId)) ?? fail('FINDING_NOT_FOUND');
  if (finding.status === 'withdrawn') fail('FINDING_WITHDRAWN');
  const ts = tx.nextTime();
  const row: MethodUseRow = {
    ...tx.newRow('mus', ts, address),
    slug,
    version: method.version,
    finding_id: finding.id,
    agent_name: body.agentName,
  };
  await tx.insert('method_uses', row);
  const data = { title: excerpt(method.title, LINE_EXCERPT_MAX_CHARACTERS), slug, findingId: finding.id };
  await tx.appendEvent(ts, researchEvent('method', 'used', { objectId: method.id, agentName: row.agent_name, data }));
  return { created: true, data: await presentUse(tx, row) };
}

async function presentUse(tx: Transaction, row: MethodUseRow): Promise<MethodUse> {
  return {
    id: row.id,
    slug: row.slug,
    version: row.version,
    findingId: row.finding_id,
    agentName: row.agent_name,
    createdAt: toIso(row.created_at),
    uses: (await usesOf(tx, [row.slug])).get(row.slug) ?? 0,
  };
}
