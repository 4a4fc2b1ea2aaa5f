import { canonicalJson } from '../../contract/canonical-json.ts';
import type { BenchmarkInput, ExperimentInput } from '../../contract/schemas/research/twin.ts';
import type { BenchmarkRun, ExperimentRun } from '../../contract/schemas/research/twin-result.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { compareExperiments, type Outcome } from '../../twin/reactions/benchmark.ts';
import { ExperimentRefused, runExperiment } from '../../twin/reactions/experiment.ts';

export type ModelRun = { kind: 'experiment'; input: ExperimentInput } | { kind: 'benchmark'; input: BenchmarkInput };

/** UTF-8 JSON of the result, or why the input was refused. */
export type ModelRunResult = { json: Uint8Array<ArrayBuffer> } | { refused: string };

/** Runs a model on the calling thread and gives the finished JSON of `data`. */
export function carryOut(run: ModelRun): ModelRunResult {
  try {
    const data = run.kind === 'experiment' ? experimentRun(run.input) : benchmarkRun(run.input);
    return { json: Buffer.from(JSON.stringify(data)) };
  } catch (error) {
    if (error instanceof ExperimentRefused) return { refused: error.message };
    throw error;
  }
}

function experimentRun(input: ExperimentInput): ExperimentRun {
  const result = runExperiment(input);
  return { ...result, manifest: { ...manifestOf(input, result, input.dataset), input } };
}

function benchmarkRun(input: BenchmarkInput): BenchmarkRun {
  const result = compareExperiments(input, input.experiments.map(outcomeOf));
  return { ...result, manifest: { ...manifestOf(input, result, result.shared.dataset), input: { ...input } } };
}

function outcomeOf(input: ExperimentInput): Outcome {
  try {
    const result = runExperiment(input);
    return { result, manifest: manifestOf(input, result, input.dataset) };
  } catch (error) {
    if (error instanceof ExperimentRefused) return { reason: error.message };
    throw error;
  }
}

function manifestOf(
  input: ModelRun['input'],
  result: { module: { id: string; version: string } },
  dataset: { sha256: string } | null | undefined,
) {
  return {
    module: result.module.id,
    version: result.module.version,
    inputSha256: sha256(canonicalJson(input)),
    datasetSha256: dataset?.sha256 ?? null,
    resultSha256: sha256(canonicalJson(result)),
  };
}
