import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { LAB_DEFAULT_DISEASE, LAB_DISEASE_IDS, type LabDiseaseId } from '../../contract/declared/research.ts';
import type { OperationOutput } from '../../contract/operation.ts';
import { nextResultsGapTrial } from '../../contract/operations/board/results-gap.ts';
import type { LAB_DISEASE_OPERATIONS } from '../../contract/operations/research/lab-diseases.ts';
import { getTrialStats, searchTrials } from '../../contract/operations/trials/trials.ts';
import type { NextCall } from '../../contract/schemas/board/assignment.ts';
import type { EvidenceCell, EvidenceTotals, TopicTrials } from '../../contract/schemas/research/lab-diseases.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import type { AskIndex } from '../upstream/ask-index.ts';
import { countsOf, readIndex } from '../upstream/index-counts.ts';
import { readJson } from '../upstream/read-json.ts';
import type { Upstream } from '../upstream/upstream.ts';

interface LabServices {
  askIndex: AskIndex;
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
  'Cohorts are distinct within each count. One cohort may be in several counts, so the cohorts of parts do not add up.',
];

export const labDiseaseHandlers: Handlers<typeof LAB_DISEASE_OPERATIONS, LabServices> = {
  'cure-lab-landscape': async (_input, _context, services, fail) => {
    const disease = LAB_DEFAULT_DISEASE;
    const { parts, meta } = await diseaseParts(services, disease, fail);
    const nextCalls = [
      { call: `GET /api/v1/cure-lab/evidence?disease=${disease}`, why: 'The claims behind the counts.' },
      { call: `GET /api/v1/cure-lab/diseases/${disease}`, why: 'What would count as a cure.' },
      searchCall(disease),
    ];
    return { data: { disease, ...parts, notes: NOTES, nextCalls }, meta };
  },

  'cure-lab-diseases': async (_input, _context, { askIndex, board, modules }, fail) => {
    const [trials, evidence] = await Promise.all([trialsByTopic(askIndex), totalsByDisease(board)]);
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

  'cure-lab-disease': async ({ params }, _context, services, fail) => {
    const module =
      services.modules.find(({ id }) => id === params.id) ??
      fail('NOT_FOUND', {
        message: 'No disease of the lab has this id; GET /api/v1/cure-lab/diseases lists all fifteen.',
      });
    const { parts, meta } = await diseaseParts(services, module.id, fail);
    const nextCalls = [
      searchCall(module.id),
      { call: `GET /api/v1/cure-lab/evidence?disease=${module.id}`, why: 'The claims behind the counts.' },
    ];
    return { data: { ...module, ...parts, notes: NOTES, nextCalls }, meta };
  },
};

async function diseaseParts({ askIndex, board }: LabServices, disease: LabDiseaseId, fail: Fail<'DB_ERROR'>) {
  const [trials, evidence] = await Promise.all([topicTrials(askIndex, disease), evidenceOf(board, disease)]);
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
    why: 'A completed trial of the topic without posted results: look for a publication about it.',
  };
}

/** The reviewed description of a disease of the lab. */
interface LabModule {
  id: LabDiseaseId;
  title: string;
  cureWouldBe: string;
  notYetCure: string;
  reviewedOn: string;
  /** Queries that find the trials of its topic. */
  searchTerms: string[];
}

const curesSchema = z.strictObject({
  note: z.string(),
  reviewed: z.iso.date(),
  nextReview: z.iso.date(),
  diseases: z.array(
    z.strictObject({
      id: z.enum(LAB_DISEASE_IDS),
      title: z.string(),
      cureWouldBe: z.string(),
      notYetCure: z.string(),
      reviewedOn: z.iso.date(),
    }),
  ),
});
const topicsSchema = z.object({ topics: z.array(z.object({ id: z.string(), anyOf: z.array(z.string()).min(1) })) });

/**
 * Reads data/curated/cures.json and data/topics.json, in alphabetical order of id; throws if either lacks a disease.
 */
export function loadLabModules(folder: URL = new URL('../../data/', import.meta.url)): readonly LabModule[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  const { diseases } = curesSchema.parse(read('curated/cures.json'));
  const { topics } = topicsSchema.parse(read('topics.json'));
  return LAB_DISEASE_IDS.map((id) => {
    const [words, ...others] = diseases.filter((disease) => disease.id === id);
    const topic = topics.find((one) => one.id === id);
    if (!words || others.length > 0 || !topic) throw new Error(`data/ does not describe ${id} exactly once`);
    return { ...words, searchTerms: topic.anyOf };
  });
}

/** A part that was read, with its `_meta`, or the reason why it could not be read. */
type Part<Value> = { value: Value; meta: Record<string, unknown> } | { value: null; reason: string };

type Stats = OperationOutput<typeof getTrialStats>;
type Counts = ReadonlyMap<string, number>;

const NO_ANSWER = { value: null, reason: 'the index does not answer' } as const;

/** Counts of the trials of one topic. */
async function topicTrials(askIndex: AskIndex, topic: LabDiseaseId): Promise<Part<TopicTrials>> {
  try {
    const counts = await countsOf(askIndex, topic);
    if ('unread' in counts) return { value: null, reason: counts.unread };
    const { coverage, running, meta } = counts;
    const { distinct, inBoth, registries } = coverage;
    return { value: { topic, distinct, running, inBoth, byRegistry: registries }, meta: shownMeta(meta) };
  } catch {
    return NO_ANSWER;
  }
}

/** Distinct trials of every topic, by its id. */
async function trialsByTopic(askIndex: AskIndex): Promise<Part<Counts>> {
  try {
    const answer = await readIndex<Stats>(askIndex, getTrialStats.path);
    if ('unread' in answer) return { value: null, reason: answer.unread };
    return { value: countsByTopic(answer.data.topics), meta: shownMeta(answer._meta) };
  } catch {
    return NO_ANSWER;
  }
}

function countsByTopic(topics: readonly { id: string; trials: number }[]): Counts {
  return new Map(topics.map(({ id, trials }) => [id, trials]));
}

/** The `_meta` fields of the index that an answer with its counts must repeat. */
function shownMeta({ snapshot, degraded, provenance, freshness, honesty }: Record<string, unknown>) {
  return { snapshot, degraded, provenance, freshness, honesty };
}
