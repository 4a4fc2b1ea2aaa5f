import type { TWIN_OPERATIONS } from '../../contract/operations/research/twin-experiment.ts';
import { type Fail, type Handlers, JsonText, type Reply, type RequestContext } from '../../server-kit/mount.ts';
import { TWIN_BENCHMARK_GUIDE, TWIN_EXPERIMENT_GUIDE, TWIN_HONESTY } from './experiment-guide.ts';
import type { ModelRun } from './model-run.ts';
import type { TwinServices } from './twin-services.ts';

export const experimentHandlers: Handlers<typeof TWIN_OPERATIONS, TwinServices> = {
  'twin-experiment': () => ({ data: TWIN_EXPERIMENT_GUIDE, meta: { honesty: TWIN_HONESTY } }),
  'twin-experiment-run': ({ body }, context, services, fail) =>
    answered({ kind: 'experiment', input: body }, context, services, fail),
  'twin-benchmark': () => ({ data: TWIN_BENCHMARK_GUIDE, meta: { honesty: TWIN_HONESTY } }),
  'twin-benchmark-run': ({ body }, context, services, fail) =>
    answered({ kind: 'benchmark', input: body }, context, services, fail),
};

async function answered(
  run: ModelRun,
  context: RequestContext,
  { twin }: TwinServices,
  fail: Fail<'run_rejected' | 'RUN_UNAVAILABLE'>,
): Promise<Reply<never>> {
  const result = await twin.runs.run(run, context.signal());
  if ('unavailable' in result) return fail('RUN_UNAVAILABLE');
  if ('refused' in result) {
    return fail('run_rejected', {
      message: `The run was stopped: ${result.refused}`,
      issues: [{ path: 'body', message: result.refused }],
    });
  }
  const { buffer, byteOffset, byteLength } = result.json;
  return {
    data: new JsonText(Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)),
    meta: { honesty: TWIN_HONESTY },
  };
}
