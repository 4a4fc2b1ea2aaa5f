import { GRAPH_EDGES, GRAPH_NODES } from '../../contract/graph.ts';
import { MODULE_OBJECTIVES, OBJECTIVES } from '../../contract/objectives.ts';
import type { OperationOutput } from '../../contract/operation.ts';
import { getBoard } from '../../contract/operations/board.ts';
import type { getScoreboard, SCOREBOARD_OPERATIONS } from '../../contract/operations/scoreboard.ts';
import { getTrialCoverage } from '../../contract/operations/trials.ts';
import { QUESTIONS } from '../../contract/questions.ts';
import { trialMeta } from '../../index-server/meta.ts';
import { coverageReply } from '../../index-server/present-counts.ts';
import { coverage } from '../../index-server/search/coverage.ts';
import { compileFilters } from '../../index-server/search/filters.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import type { IndexServices } from '../../index-server/services.ts';
import type { Handlers, RequestContext } from '../../server-kit/mount.ts';
import { TRAFFIC_HOURS, type TrafficWindow } from '../observation/traffic-window.ts';
import { councilAdditions, readJson } from '../upstream/read-json.ts';
import { Upstream } from '../upstream/upstream.ts';

interface ScoreboardServices {
  index: IndexServices | Upstream;
  board: Upstream;
  traffic: TrafficWindow;
  /** Number of curated research items. */
  researchItems: number;
}

type Scoreboard = OperationOutput<typeof getScoreboard>;
type IndexCounts = Omit<Scoreboard['index'], 'trialRegistrations' | 'reframedArticles' | 'cureResearchItems'>;
type Contributions = Scoreboard['contributions'];
type Coverage = OperationOutput<typeof getTrialCoverage>;
type Answer<Data> = { data: Data; _meta: IndexMeta };

const NEVER_SUMMED = 'totals of registries are never summed; read byRegistry and canonicalTrials';
const NOT_REWRITTEN = 'this service rewrites no article and holds none, so there is nothing to count';
const ONE_UNANSWERED = 'a registry has not answered, so it is not known what both hold';

const NOT_MEASURED = [
  'Who the callers are: an agent name is declared by its agent, and one agent may use several.',
  'Traffic before this gateway started, at other gateways, and of mirrors of the data.',
  'How often a number was read elsewhere, quoted or acted on.',
  'Whether a finding is true: reviews say whether a repeat agreed.',
  'How many trials there are outside the two registries, or in neither.',
  'How many trials are counted twice because their registrations share no identifier and name none.',
  'Outcomes of patients, and whether any trial or finding helped one.',
  'How much of the literature the curated research items leave out.',
];

/** Combines the counts of index, board and this gateway; a part that cannot be read is null, with its reason. */
export const scoreboardHandlers: Handlers<typeof SCOREBOARD_OPERATIONS, ScoreboardServices> = {
  scoreboard: async (_input, context, { index, board, traffic, researchItems }, fail) => {
    const [held, contributions, added] = await Promise.all([
      indexCounts(index, context),
      contributionsOf(board),
      councilAdditions(board),
    ]);
    if (held.canonicalTrials === null && contributions.counts === null) {
      fail('DB_ERROR', { message: 'Neither the index nor the board can be read.' });
    }
    const { since, requests, doors } = traffic.last24Hours(context.now);
    return {
      data: {
        index: {
          ...held,
          trialRegistrations: null,
          reframedArticles: null,
          cureResearchItems: researchItems,
          reasons: { trialRegistrations: NEVER_SUMMED, reframedArticles: NOT_REWRITTEN, ...held.reasons },
        },
        standing: {
          objectives: OBJECTIVES.length,
          moduleObjectives: MODULE_OBJECTIVES.length,
          questions: QUESTIONS.length,
          councilObjectives: added?.objectives.length ?? null,
          councilQuestions: added?.questions.length ?? null,
          nodes: GRAPH_NODES.length,
          edges: GRAPH_EDGES.length,
        },
        traffic: {
          since: since.toISOString(),
          hours: TRAFFIC_HOURS,
          requests,
          doors,
          heldIn: 'memory of this gateway',
        },
        contributions,
        notMeasured: NOT_MEASURED,
      },
    };
  },
};

async function indexCounts(index: IndexServices | Upstream, context: RequestContext): Promise<IndexCounts> {
  try {
    if (index instanceof Upstream) return await countsOfServer(index);
    return countsHere(index, context) ?? unread('no snapshot is served');
  } catch {
    return unread('the index does not answer');
  }
}

function countsHere({ holder, sources }: IndexServices, context: RequestContext): IndexCounts | null {
  using lease = holder.acquire();
  if (lease === null) return null;
  const { image, manifest } = lease;
  const active = matchingRows(image, compileFilters({ status: ['active'] })).count;
  const meta = trialMeta(manifest, sources, context, false) as unknown as IndexMeta;
  return countsFrom(coverageReply(coverage(image, compileFilters({})), manifest), active, meta);
}

interface IndexMeta {
  snapshot: string;
  degraded: boolean;
  provenance: { corpus: 'registries' | 'sample'; worldwide: boolean };
}

async function countsOfServer(index: Upstream): Promise<IndexCounts> {
  const { path } = getTrialCoverage;
  const [all, active] = await Promise.all([
    readJson<Answer<Coverage>>(index, path),
    readJson<Answer<Coverage>>(index, `${path}?status=active`),
  ]);
  // The snapshot may change between two reads, and their counts do not belong together then.
  const same = all._meta.snapshot === active._meta.snapshot;
  return countsFrom(all.data, same ? active.data.distinct : null, all._meta);
}

function countsFrom(counts: Coverage, activeTrials: number | null, { snapshot, degraded, provenance }: IndexMeta) {
  return {
    snapshot,
    corpus: provenance.corpus,
    worldwide: provenance.worldwide,
    degraded,
    canonicalTrials: counts.distinct,
    activeTrials,
    crossRegistryTrials: counts.inBoth,
    byRegistry: counts.registries,
    reasons: {
      ...(counts.inBoth === null ? { crossRegistryTrials: ONE_UNANSWERED } : {}),
      ...(activeTrials === null ? { activeTrials: 'the snapshot changed while it was read; ask again' } : {}),
    },
  };
}

function unread(reason: string): IndexCounts {
  const nothing = {
    snapshot: null,
    corpus: null,
    worldwide: null,
    degraded: null,
    canonicalTrials: null,
    activeTrials: null,
    crossRegistryTrials: null,
    byRegistry: null,
  };
  return { ...nothing, reasons: Object.fromEntries(Object.keys(nothing).map((field) => [field, reason])) };
}

async function contributionsOf(board: Upstream): Promise<Contributions> {
  try {
    const { data } = await readJson<{ data: OperationOutput<typeof getBoard> }>(board, `${getBoard.path}?limit=1`);
    return { counts: data.counts, reasons: {} };
  } catch {
    return { counts: null, reasons: { counts: 'the board cannot be read' } };
  }
}
