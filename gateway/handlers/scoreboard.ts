import { GRAPH_EDGES, GRAPH_NODES } from '../../contract/declared/graph.ts';
import { MODULE_OBJECTIVES, OBJECTIVES } from '../../contract/declared/objectives.ts';
import { QUESTIONS } from '../../contract/declared/questions.ts';
import { SURFACES, type SurfaceId } from '../../contract/declared/surfaces.ts';
import { TRAFFIC_HOURS } from '../../contract/limits/limits.ts';
import type { OperationOutput } from '../../contract/operation.ts';
import { getBoard } from '../../contract/operations/board/board.ts';
import type { getScoreboard, SCOREBOARD_OPERATIONS } from '../../contract/operations/board/scoreboard.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import type { CommonState } from '../common/common.ts';
import type { BoardTraffic } from '../observation/board-traffic.ts';
import type { AskIndex } from '../upstream/ask-index.ts';
import { countsOf, type IndexCounts } from '../upstream/index-counts.ts';
import { councilAdditions, readJson } from '../upstream/read-json.ts';
import type { Upstream } from '../upstream/upstream.ts';

interface ScoreboardServices {
  askIndex: AskIndex;
  board: Upstream;
  common: Pick<CommonState, 'traffic'>;
  /** Counts of all gateways that share the board; null where there are no others. */
  traffic: Pick<BoardTraffic, 'report'> | null;
  /** Number of curated research items. */
  researchItems: number;
}

type Scoreboard = OperationOutput<typeof getScoreboard>;
type ShownCounts = Omit<Scoreboard['index'], 'trialRegistrations' | 'reframedArticles' | 'cureResearchItems'>;
type Contributions = Scoreboard['contributions'];

const NEVER_SUMMED = 'totals of registries are never summed; read byRegistry and canonicalTrials';
const NOT_REWRITTEN = 'this service rewrites no article and holds none, so there is nothing to count';
const ONE_UNANSWERED = 'a registry has not answered, so it is not known what both hold';

const UNSEEN_TRAFFIC = {
  'memory of this gateway': 'Traffic before this gateway started, at other gateways, and of mirrors of the data.',
  'the board of all gateways': 'Traffic of the last seconds of a gateway that was killed, and of mirrors of the data.',
} as const;

const NOT_MEASURED = [
  'Who the callers are: an agent name is declared by its agent, and one agent may use several.',
  'How often a number was read elsewhere, quoted or acted on.',
  'Whether a finding is true: reviews say only whether those who repeated it agree.',
  'How many trials are in neither of the two registries.',
  'How many trials are counted twice because their registrations share no identifier and name none.',
  'Outcomes of patients, and whether any trial or finding helped one.',
  'How much of the literature the curated research items leave out.',
];

/** Combines the counts of index, board and this gateway; a part that cannot be read is null, with its reason. */
export const scoreboardHandlers: Handlers<typeof SCOREBOARD_OPERATIONS, ScoreboardServices> = {
  scoreboard: async (_input, _context, { askIndex, board, common, traffic, researchItems }, fail) => {
    const [held, contributions, added] = await Promise.all([
      indexCounts(askIndex),
      contributionsOf(board),
      councilAdditions(board),
    ]);
    if (held.canonicalTrials === null && contributions.counts === null) {
      fail('DB_ERROR', { message: 'Neither the index nor the board can be read.' });
    }
    const shared = (await traffic?.report()) ?? null;
    const { since, requests, doors } = shared ?? (await common.traffic());
    const heldIn = shared === null ? 'memory of this gateway' : 'the board of all gateways';
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
          since,
          hours: TRAFFIC_HOURS,
          requests,
          doors,
          heldIn,
        },
        contributions,
        notMeasured: NOT_MEASURED.toSpliced(1, 0, UNSEEN_TRAFFIC[heldIn]),
      },
    };
  },
};

async function indexCounts(askIndex: AskIndex): Promise<ShownCounts> {
  try {
    const counts = await countsOf(askIndex, undefined);
    return 'unread' in counts ? unread(counts.unread) : shown(counts);
  } catch {
    return unread('the index does not answer');
  }
}

interface IndexMeta {
  snapshot: string;
  degraded: boolean;
  provenance: { corpus: 'registries' | 'sample'; worldwide: boolean };
}

function shown({ coverage, running, meta }: IndexCounts): ShownCounts {
  const { snapshot, degraded, provenance } = meta as unknown as IndexMeta;
  return {
    snapshot,
    corpus: provenance.corpus,
    worldwide: provenance.worldwide,
    degraded,
    canonicalTrials: coverage.distinct,
    activeTrials: running,
    crossRegistryTrials: coverage.inBoth,
    byRegistry: coverage.registries,
    reasons: {
      ...(coverage.inBoth === null ? { crossRegistryTrials: ONE_UNANSWERED } : {}),
      ...(running === null ? { activeTrials: 'the snapshot changed while it was read; ask again' } : {}),
    },
  };
}

function unread(reason: string): ShownCounts {
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
  const [glance, counted] = await Promise.all([
    readOr(readJson<{ data: OperationOutput<typeof getBoard> }>(board, `${getBoard.path}?limit=1`)),
    readOr(readJson<Record<SurfaceId, number>>(board, '/internal/surfaces')),
  ]);
  const unread = [...(glance === null ? ['counts'] : []), ...(counted === null ? ['surfaces'] : [])];
  return {
    counts: glance?.data.counts ?? null,
    surfaces: counted && SURFACES.map(({ id, ...said }) => ({ surface: id, count: counted[id], ...said })),
    reasons: Object.fromEntries(unread.map((field) => [field, 'the board cannot be read'])),
  };
}

async function readOr<Data>(read: Promise<Data>): Promise<Data | null> {
  try {
    return await read;
  } catch {
    return null;
  }
}
