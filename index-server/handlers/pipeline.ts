import type { PIPELINE_OPERATIONS } from '../../contract/operations/trials/pipeline.ts';
import { outcomeOf } from '../../contract/run-outcomes.ts';
import type { Fail, Handlers } from '../../server-kit/mount.ts';
import type { RunLog, RunRecords } from '../../snapshot/format/versions/run-log.ts';
import { pageLinks } from '../meta.ts';
import { presentRun, presentRunDetail } from '../present-run.ts';
import type { IndexServices } from '../services.ts';

/** Waits for the record; a failed read becomes TRIALS_UNAVAILABLE, never an empty list. */
async function reading(runLog: RunLog, fail: Fail<'TRIALS_UNAVAILABLE'>): Promise<RunRecords | null> {
  try {
    return await runLog.read();
  } catch (cause) {
    return fail('TRIALS_UNAVAILABLE', { message: 'The record of runs could not be read.', cause });
  }
}

/** These answer without a snapshot too: where none is served, the runs say why. */
export const pipelineHandlers: Handlers<typeof PIPELINE_OPERATIONS, IndexServices> = {
  'pipeline-runs': async ({ query }, context, { runLog }, fail) => {
    const { outcome, command, page, pageSize } = query;
    const records = await reading(runLog, fail);
    const wanted = (records?.runs ?? []).filter(
      (row) =>
        (outcome === undefined || outcomeOf(row) === outcome) && (command === undefined || row.command === command),
    );
    const runs = wanted.slice((page - 1) * pageSize, page * pageSize).map(presentRun);
    const filters = { ...(outcome && { outcome }), ...(command && { command }) };
    const paging = { page, pageSize, totalItems: wanted.length, returned: runs.length };
    return {
      data: {
        state: records === null ? 'no-run-recorded' : 'recorded',
        runs,
        unreadableLines: records?.unreadableLines ?? 0,
        olderLeftOut: records?.cut ?? false,
      },
      meta: { filters, ...pageLinks(context, paging) },
      validator: `${records?.fingerprint ?? 'none'} ${context.baseUrl}`,
    };
  },

  'pipeline-run': async ({ params }, _context, { runLog }, fail) => {
    const records = await reading(runLog, fail);
    if (records === null) return fail('NOT_FOUND', { message: 'No run is recorded here.' });
    const { runs } = records;
    const row = params.run === 'latest' ? runs[0] : runs.find(({ run }) => run === params.run);
    if (row === undefined) {
      const newest = runs[0] === undefined ? '' : ` The newest is ${runs[0].run}.`;
      return fail('NOT_FOUND', { message: `The run ${params.run} is not in the record, or not any more.${newest}` });
    }
    return { data: presentRunDetail(row), meta: {}, validator: `${records.fingerprint} ${row.run}` };
  },
};
