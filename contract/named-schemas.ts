import { z } from 'zod';
import * as ids from './ids.ts';
import * as modalities from './modality.ts';
import type { Operation } from './operation.ts';
import * as research from './research.ts';
import * as acceptance from './schemas/acceptance.ts';
import * as agent from './schemas/agent.ts';
import * as assignment from './schemas/assignment.ts';
import * as betaCell from './schemas/beta-cell.ts';
import * as calibration from './schemas/calibration.ts';
import * as change from './schemas/change.ts';
import * as claim from './schemas/claim.ts';
import * as council from './schemas/council.ts';
import * as counts from './schemas/counts.ts';
import * as cureLab from './schemas/cure-lab.ts';
import * as deadEnd from './schemas/dead-end.ts';
import * as envelope from './schemas/envelope.ts';
import * as exploration from './schemas/exploration.ts';
import * as finding from './schemas/finding.ts';
import * as key from './schemas/key.ts';
import * as labDiseases from './schemas/lab-diseases.ts';
import * as ladder from './schemas/ladder.ts';
import * as message from './schemas/message.ts';
import * as method from './schemas/method.ts';
import * as modality from './schemas/modality.ts';
import * as overview from './schemas/overview.ts';
import * as patientModel from './schemas/patient-model.ts';
import * as reality from './schemas/reality.ts';
import * as registrationDetails from './schemas/registration-details.ts';
import * as related from './schemas/related.ts';
import * as resultsGap from './schemas/results-gap.ts';
import * as signals from './schemas/signals.ts';
import * as snapshot from './schemas/snapshot.ts';
import * as snapshotDiff from './schemas/snapshot-diff.ts';
import * as snapshotLog from './schemas/snapshot-log.ts';
import * as trial from './schemas/trial.ts';
import * as trialFacets from './schemas/trial-facets.ts';
import * as trialResultsGap from './schemas/trial-results-gap.ts';
import * as twin from './schemas/twin.ts';
import * as twinResult from './schemas/twin-result.ts';
import * as webhook from './schemas/webhook.ts';
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
