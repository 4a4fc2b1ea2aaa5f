import { z } from 'zod';
import * as modalities from './declared/modality.ts';
import * as research from './declared/research.ts';
import * as ids from './ids.ts';
import type { Operation } from './operation.ts';
import * as acceptance from './schemas/board/acceptance.ts';
import * as agent from './schemas/board/agent.ts';
import * as assignment from './schemas/board/assignment.ts';
import * as calibration from './schemas/board/calibration.ts';
import * as change from './schemas/board/change.ts';
import * as claim from './schemas/board/claim.ts';
import * as council from './schemas/board/council.ts';
import * as deadEnd from './schemas/board/dead-end.ts';
import * as finding from './schemas/board/finding.ts';
import * as ladder from './schemas/board/ladder.ts';
import * as message from './schemas/board/message.ts';
import * as method from './schemas/board/method.ts';
import * as overview from './schemas/board/overview.ts';
import * as reality from './schemas/board/reality.ts';
import * as resultsGap from './schemas/board/results-gap.ts';
import * as webhook from './schemas/board/webhook.ts';
import * as envelope from './schemas/envelope.ts';
import * as key from './schemas/key.ts';
import * as betaCell from './schemas/research/beta-cell.ts';
import * as cureLab from './schemas/research/cure-lab.ts';
import * as labDiseases from './schemas/research/lab-diseases.ts';
import * as patientModel from './schemas/research/patient-model.ts';
import * as twin from './schemas/research/twin.ts';
import * as twinResult from './schemas/research/twin-result.ts';
import * as counts from './schemas/trials/counts.ts';
import * as exploration from './schemas/trials/exploration.ts';
import * as modality from './schemas/trials/modality.ts';
import * as registrationDetails from './schemas/trials/registration-details.ts';
import * as related from './schemas/trials/related.ts';
import * as signals from './schemas/trials/signals.ts';
import * as snapshot from './schemas/trials/snapshot.ts';
import * as snapshotDiff from './schemas/trials/snapshot-diff.ts';
import * as snapshotLog from './schemas/trials/snapshot-log.ts';
import * as trial from './schemas/trials/trial.ts';
import * as trialFacets from './schemas/trials/trial-facets.ts';
import * as trialResultsGap from './schemas/trials/trial-results-gap.ts';
import * as vocabularies from './vocabularies.ts';

/**
 * The names of shared schemas: a schema that a file of contract/schemas exports as `fooBarSchema` is named `FooBar`, in
 * the OpenAPI document as a component (`FooBarRecord` where an operation has that name) and in the SDK as a type. They are named here and not in metadata of the schemas,
 * since doors that hand schemas out whole (MCP tools) would then carry the names along.
 */
const FILES: Record<string, unknown>[] = [
  ...[acceptance, agent, assignment, betaCell, calibration, change, claim, council, counts, cureLab, deadEnd],
  ...[envelope, exploration, finding, key, labDiseases, ladder, message, method, modality, overview, patientModel],
  ...[
    reality,
    registrationDetails,
    related,
    resultsGap,
    signals,
    snapshot,
    snapshotDiff,
    snapshotLog,
    trial,
    trialFacets,
    trialResultsGap,
    twin,
    twinResult,
    webhook,
  ],
];

const ENTRIES = FILES.flatMap((file) =>
  Object.entries(file).flatMap(([name, value]): [string, z.ZodType][] => {
    if (!name.endsWith('Schema') || !(value instanceof z.ZodType)) return [];
    return [[`${name.charAt(0).toUpperCase()}${name.slice(1, -'Schema'.length)}`, value]];
  }),
).sort(([a], [b]) => (a < b ? -1 : 1));

for (const [at, [name]] of ENTRIES.entries()) {
  if (ENTRIES[at + 1]?.[0] === name) throw new Error(`two files of contract/schemas export a schema ${name}`);
}

/** Every shared schema by its name. */
export const NAMED_SCHEMAS: Record<string, z.ZodType> = Object.fromEntries(ENTRIES);

/** What the operations answer as `data`, by name: `SearchTrialsData`. What is a shared schema already keeps its own name. */
export function dataSchemas(operations: readonly Operation[]): Record<string, z.ZodType> {
  const shared = new Set(Object.values(NAMED_SCHEMAS));
  const own = operations.filter(({ output, envelope }) => envelope !== false && !shared.has(output));
  return Object.fromEntries(own.map((operation) => [`${typePrefixOf(operation)}Data`, operation.output]));
}

/** What the type names of an operation begin with: the name of its SDK method, else its id. */
export function typePrefixOf({ id, names }: Operation): string {
  return (names?.sdk ?? id).replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Names of the contract's lists of values: `CLAIM_STATES` is `ClaimState`. By the values as JSON. */
export const NAMED_VALUES: ReadonlyMap<string, string> = new Map(
  [ids, modalities, research, vocabularies].flatMap((file) =>
    Object.entries(file).flatMap(([name, list]): [string, string][] => {
      const isList = Array.isArray(list) && list.every((value) => typeof value === 'string');
      return isList ? [[JSON.stringify(list), singular(name)]] : [];
    }),
  ),
);

function singular(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(ss|us)es$/, '$1')
    .replace(/(?<!s|u)s$/, '');
  return words.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
