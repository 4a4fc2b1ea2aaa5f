import { EVERY_ISSUE } from '../errors/errors.ts';
import { ENDPOINTS_TAKEN } from '../interfaces/endpoint-names.ts';

/** Where the fields of a body are shown, with an example, by the operation that takes the body. */
const GUIDES: Readonly<Record<string, string>> = {
  'finding-submit': `howToSubmit in GET /api/v1/findings shows the fields with an example. In endpointsUsed: ${ENDPOINTS_TAKEN.replace('Only', 'only')}.`,
  'council-propose': 'GET /api/v1/council holds the keys of each kind (proposalKeys) and an example (propose).',
  'council-action': 'vote and exercise in GET /api/v1/council show the fields of each action with an example.',
  'ladder-publish': 'howToPublish in GET /api/v1/decompositions shows the fields with an example.',
  'rung-submit': 'GET /api/v1/rungs/{id} shows every rule of the rung and a submission to put your own work in.',
  'results-gap-submit': 'submit in GET /api/v1/results-gap shows the fields with an example.',
  'cure-lab-evidence-submit': 'howToSubmit in GET /api/v1/cure-lab/evidence shows the fields with an example.',
  'cure-lab-hypothesis-propose': 'howToPropose in GET /api/v1/cure-lab/hypotheses shows the fields with an example.',
  'calibration-create': 'howToPredict in GET /api/v1/calibration shows the fields with an example.',
  'reality-create': 'howToRequest in GET /api/v1/reality shows the fields with an example.',
  'reality-act': 'howToAct in GET /api/v1/reality shows the fields of each action with an example.',
  'method-mint': 'howToMint in GET /api/v1/methods shows the fields with an example.',
  'method-use': 'howToReportUse in GET /api/v1/methods shows the fields with an example.',
  'dead-end-register': 'howToRegister in GET /api/v1/dead-ends shows the fields with an example.',
  'dead-end-act': 'howToOverturn in GET /api/v1/dead-ends shows the fields with an example.',
  'beta-cell-run': 'GET /api/v1/twin/beta-cell shows every bound and an example that runs as printed.',
  'twin-experiment-run': 'GET /api/v1/twin/experiment shows every bound and an example that runs as printed.',
  'twin-benchmark-run': 'GET /api/v1/twin/benchmark shows every bound and an example that runs as printed.',
};

/** Codes that many surfaces share, so that only the operation tells where its own fields are shown. */
export const SHARED_REJECTIONS: readonly string[] = ['submission_rejected', 'run_rejected'];

/** The hint of a shared code at one operation; undefined for any other code or operation. */
export function rejectionHint(code: string, operationId: string | undefined): string | undefined {
  const guide = operationId === undefined ? undefined : GUIDES[operationId];
  return guide === undefined || !SHARED_REJECTIONS.includes(code) ? undefined : `${EVERY_ISSUE} ${guide}`;
}
