import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import type { JsonSchema } from '../parameters.ts';

type Json = z.core.util.JSONType;

/**
 * One value that works, for each argument of the flat object. A name means one thing in every operation, so that its example
 * stands here once; an argument whose schema has `examples` of its own keeps them.
 */

const BOARD_ID = '0m3kq7c5d8x2v9w1az';
const VERSION = '20261121T031500Z-0a1b2c3d';
/** Of a coverage of q=diabetes that found 86 trials. */
const RECEIPT = `r1.coverage.${VERSION}.86.5rk1vxk2gwzc.tcT1kaWFiZXRlcw.cmtq`;

/** By name; of several the first whose type the argument has. */
const BY_NAME: Readonly<Record<string, Json | readonly Json[]>> = {
  // Trials
  receipt: RECEIPT,
  receipts: [[RECEIPT]],
  q: 'type 1 diabetes',
  condition: 'Diabetes Mellitus, Type 1',
  text: 'uni',
  intervention: 'teplizumab',
  sponsor: 'Novo Nordisk',
  anySponsor: 'Breakthrough T1D',
  country: 'United Kingdom',
  siteCountry: 'GB',
  sitePlace: 'Oxford',
  siteStatus: [['recruiting']],
  keyword: 'CRISPR',
  place: 'Oxford',
  facility: 'Mayo Clinic',
  rawPath: '/protocolSection/statusModule',
  status: [['recruiting']],
  phase: [['3']],
  registry: [['isrctn'], 'isrctn'],
  modality: [['cell-therapy']],
  topic: 'type-1-diabetes',
  conflictsOn: [['status']],
  age: 16,
  sex: [['female']],
  enrollmentMin: 100,
  enrollmentMax: 1000,
  canonicalId: 'NCT01030861',
  id: ['ISRCTN12345678'],
  against: 'previous',
  markers: [['HLA-DR4']],
  trialId: [['NCT01234567']],
  disease: 'type-1-diabetes',
  // Standing work and the board
  objectiveId: 'map-one-disease',
  questionId: 'freshness-drift',
  subjectId: 'map-one-disease',
  node: 'trial',
  agentName: 'your-agent-name',
  agentContact: 'https://example.org/your-agent',
  scope: 'cystic fibrosis, phase 3',
  findingId: `fnd_${BOARD_ID}`,
  fromId: `fnd_${BOARD_ID}`,
  toId: 'fnd_1n4kq7c5d8x2v9w1az',
  derivedFrom: [[`fnd_${BOARD_ID}`, 'fnd_1n4kq7c5d8x2v9w1az']],
  claimId: `clm_${BOARD_ID}`,
  amendmentId: `amd_${BOARD_ID}`,
  evidenceId: `evd_${BOARD_ID}`,
  hypothesisId: `hyp_${BOARD_ID}`,
  ladderId: `lad_${BOARD_ID}`,
  rungId: `rng_${BOARD_ID}`,
  requestId: `rea_${BOARD_ID}`,
  predictionId: `prd_${BOARD_ID}`,
  deadEndId: `ded_${BOARD_ID}`,
  slug: 'count-without-doubling',
  artifactUrl: 'https://example.org/your-result',
  fulfilmentUrl: 'https://example.org/the-result',
  estimatedCost: 'two hours and no money',
  releaseToken: 'the-release-token',
  withdrawToken: 'the-withdraw-token',
  predictionToken: 'the-prediction-token',
  searchStrategy: 'PubMed and Europe PMC: the NCT number and the title, 2026-11-20',
  claimText: 'Verapamil preserved stimulated C-peptide over 52 weeks in new-onset type 1 diabetes.',
  rationale: 'Counts of two snapshots differ; without the id a repeat cannot tell why.',
  ask: 'Download the record history of fifty trials and compare their completion dates.',
  note: 'The numbers agree on the same snapshot.',
  evidence: [[`fnd_${BOARD_ID}`]],
  pmid: '36826844',
  doi: '10.1001/jama.2023.2064',
  nctId: 'NCT01030861',
  cohortKey: 'clver-verapamil',
  method: 'get_trial_coverage with q "type 1 diabetes" and phase 3; read distinct.',
  claim: 'The ten largest sponsors hold less than half of these trials.',
  // Feeds, pages and writes
  cursor: 'eyJhIjoxfQ',
  since: ['2026-11-20T00:00:00Z', 100],
  until: '2026-11-26',
  wait: 20,
  idempotencyKey: '3f2c1b1e-6d7a-4c58-9a51-0c1f7a9f2b10',
  fields: 'canonicalId,title',
  // Descriptions of the service
  tool: 'search_world_trials',
  query: ['compare two registrations of a trial', { q: 'type 1 diabetes', phase: '3' }],
  code: 'INVALID_PARAM',
  run: 'latest',
  // Snapshots and files
  version: [VERSION, 1],
  from: [VERSION, 1],
  to: '20261122T031500Z-1b2c3d4e',
  field: 'status',
  identity: 'ab'.repeat(32),
  size: 12,
  name: 'trials.parquet',
  folder: 'raw',
  file: 'client.js',
  range: 'bytes=0-1023',
  ifRange: '"0a1b2c3d"',
  ifMatch: '"0a1b2c3d"',
  // Webhooks and keys
  secret: 'the-secret-of-the-subscription',
  webhookSecret: 'the-secret-of-the-subscription',
  label: 'weekly coverage run',
};

/** A longer value is an example of its own only where there is no shorter one. */
const SHORT_CHARACTERS = 100;
/** Where even that would be longer, the example of the whole call is enough. */
const LONGEST_CHARACTERS = 1_000;

/** A value for one argument, if there is one that is not too long: its own, then a short one of the operation's example, then that of its name, then one of its type. */
export function exampleOf(
  operation: Pick<Operation, 'exampleBody' | 'example'>,
  { name, target, schema }: { name: string; target: string; schema: JsonSchema },
): unknown {
  const [own] = (schema.examples ?? []) as unknown[];
  if (own !== undefined) return own;
  const inBody = operation.exampleBody?.[target];
  if (inBody !== undefined && JSON.stringify(inBody).length <= SHORT_CHARACTERS && !isPlace(inBody)) return inBody;
  const named = Object.hasOwn(BY_NAME, name) ? choicesOf(BY_NAME[name]) : [];
  const found = named.find((value) => fits(value, schema)) ?? ofType(schema) ?? inBody;
  return found !== undefined && JSON.stringify(found).length <= LONGEST_CHARACTERS ? found : undefined;
}

/** The values of an entry: of a list its items, else the entry itself. */
const choicesOf = (entry: unknown): unknown[] => (Array.isArray(entry) ? entry : [entry]);

/** A text that stands for the caller's own value. */
const isPlace = (value: unknown): boolean => typeof value === 'string' && value.startsWith('the-');

/** The forms of a schema that are no null. */
function formsOf(schema: JsonSchema): JsonSchema[] {
  const forms = ((schema.anyOf as JsonSchema[] | undefined) ?? [schema]).filter(({ type }) => type !== 'null');
  return forms.flatMap(({ type, ...rest }) => [type].flat().map((one) => ({ ...rest, type: one })));
}

function fits(value: unknown, schema: JsonSchema): boolean {
  return formsOf(schema).some(({ type, enum: values, items }) => {
    if (Array.isArray(value)) return type === 'array' && value.every((one) => fits(one, (items ?? {}) as JsonSchema));
    if (Array.isArray(values) && !values.includes(value)) return false;
    if (typeof value === 'number') return type === 'integer' || type === 'number';
    return type === typeof value;
  });
}

function ofType(schema: JsonSchema): unknown {
  const [form = {}] = formsOf(schema);
  const { type, format, minimum = 1 } = form;
  const values = form.enum ?? (form.items as JsonSchema | undefined)?.enum;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(values)) return type === 'array' ? [values[0]] : values[0];
  if (type === 'boolean') return true;
  if (type === 'integer') return minimum;
  return format === 'date' ? '2024-01-01' : undefined;
}
