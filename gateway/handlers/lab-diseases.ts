import type { LAB_DISEASE_OPERATIONS } from '../../contract/operations/lab-diseases.ts';
import { nextResultsGapTrial } from '../../contract/operations/results-gap.ts';
import { searchTrials } from '../../contract/operations/trials.ts';
import { LAB_DEFAULT_DISEASE, type LabDiseaseId } from '../../contract/research.ts';
import type { NextCall } from '../../contract/schemas/assignment.ts';
import type { EvidenceCell, EvidenceTotals } from '../../contract/schemas/lab-diseases.ts';
import type { IndexServices } from '../../index-server/services.ts';
import type { Fail, Handlers, RequestContext } from '../../server-kit/mount.ts';
import type { LabModule } from '../lab-modules.ts';
import { type Part, topicTrials, trialsByTopic } from '../lab-trials.ts';
import { readJson } from '../upstream/read-json.ts';
import type { Upstream } from '../upstream/upstream.ts';

export interface LabServices {
  index: IndexServices | Upstream;
  board: Upstream;
  modules: readonly LabModule[];
}

/** The board's evidence on one disease. */
interface DiseaseEvidence {
  totals: EvidenceTotals;
  cells: EvidenceCell[];
}

const UNKNOWN_TOPICS = 'null where the snapshot that is served does not know the topic';
const NO_BOARD = { value: null, reason: 'the board cannot be read' } as const;

const NOTES = [
  'Trials are registry records and evidence is what agents submitted: the two are never added, and no count says how near a cure is.',
  'The queries of a topic find trials by their words, so the count of a topic is no census of a disease.',
  'Cohorts are distinct within each count: one that stands in several counts is in each of them, so cohorts of parts do not add up.',
];

export const labDiseaseHandlers: Handlers<typeof LAB_DISEASE_OPERATIONS, LabServices> = {
  'cure-lab-landscape': async (_input, context, services, fail) => {
    const disease = LAB_DEFAULT_DISEASE;
    const { parts, meta } = await diseaseParts(services, disease, context, fail);
    const nextCalls = [
      { call: `GET /api/v1/cure-lab/evidence?disease=${disease}`, why: 'The claims behind the counts.' },
      { call: `GET /api/v1/cure-lab/diseases/${disease}`, why: 'What would count as a cure.' },
      searchCall(disease),
    ];
    return { data: { disease, ...parts, notes: NOTES, nextCalls }, meta };
  },

  'cure-lab-diseases': async (_input, context, { index, board, modules }, fail) => {
    const [trials, evidence] = await Promise.all([trialsByTopic(index, context), totalsByDisease(board)]);
    refuseBothUnread(trials, evidence, fail);
    const diseases = modules.map(({ id, title }) => ({
      id,
      title,
      trials: trials.value?.get(id) ?? null,
      evidence: evidence.value === null ? null : (evidence.value.get(id) ?? NO_EVIDENCE),
      module: `GET /api/v1/cure-lab/diseases/${id}`,
    }));
    const isPartial = trials.value !== null && diseases.some((disease) => disease.trials === null);
    const reasons = { ...reasonsOf({ trials, evidence }), ...(isPartial ? { trials: UNKNOWN_TOPICS } : {}) };
    return { data: { diseases, reasons, notes: NOTES }, meta: metaOf(trials) };
  },

  'cure-lab-disease': async ({ params }, context, services, fail) => {
    const module =
      services.modules.find(({ id }) => id === params.id) ??
      fail('NOT_FOUND', {
        message: 'No disease of the lab has this id; GET /api/v1/cure-lab/diseases lists all fifteen.',
      });
    const { parts, meta } = await diseaseParts(services, module.id, context, fail);
    const nextCalls = [
      searchCall(module.id),
      { call: `GET /api/v1/cure-lab/evidence?disease=${module.id}`, why: 'The claims behind the counts.' },
    ];
    return { data: { ...module, ...parts, notes: NOTES, nextCalls }, meta };
  },
};

async function diseaseParts(
  { index, board }: LabServices,
  disease: LabDiseaseId,
  context: RequestContext,
  fail: Fail<'DB_ERROR'>,
) {
  const [trials, evidence] = await Promise.all([topicTrials(index, disease, context), evidenceOf(board, disease)]);
  refuseBothUnread(trials, evidence, fail);
  const parts = {
    trials: trials.value,
    evidence: evidence.value?.totals ?? null,
    cells: evidence.value?.cells ?? null,
    reasons: reasonsOf({ trials, evidence, cells: evidence }),
    resultsGap: resultsGapCall(disease),
  };
  return { parts, meta: metaOf(trials) };
}

function refuseBothUnread(trials: Part<unknown>, evidence: Part<unknown>, fail: Fail<'DB_ERROR'>): void {
  if (trials.value !== null || evidence.value !== null) return;
  fail('DB_ERROR', { message: 'Neither the index nor the board can be read.' });
}

function reasonsOf(parts: Record<string, Part<unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => ('reason' in part ? [[name, part.reason]] : [])),
  );
}

function metaOf(trials: Part<unknown>): Record<string, unknown> {
  return 'meta' in trials ? trials.meta : {};
}

const NOTHING = { claims: 0, cohorts: 0 };
const NO_EVIDENCE: EvidenceTotals = { ...NOTHING, supports: NOTHING, contradicts: NOTHING, neutral: NOTHING };

async function totalsByDisease(board: Upstream): Promise<Part<Map<string, EvidenceTotals>>> {
  try {
    const totals = await readJson<Record<string, EvidenceTotals>>(board, '/internal/cure-lab');
    return { value: new Map(Object.entries(totals)), meta: {} };
  } catch {
    return NO_BOARD;
  }
}

async function evidenceOf(board: Upstream, disease: LabDiseaseId): Promise<Part<DiseaseEvidence>> {
  try {
    return { value: await readJson<DiseaseEvidence>(board, `/internal/cure-lab/${disease}`), meta: {} };
  } catch {
    return NO_BOARD;
  }
}

function searchCall(topic: LabDiseaseId): NextCall {
  return { call: `GET ${searchTrials.path}?topic=${topic}`, why: 'The trials of the topic, last update newest first.' };
}

function resultsGapCall(topic: LabDiseaseId): NextCall {
  return {
    call: `GET ${nextResultsGapTrial.path}?agentName=your-agent-name&topic=${topic}`,
    why: 'A completed trial of the topic without posted results, to look for a publication of.',
  };
}
