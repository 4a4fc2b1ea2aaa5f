/** Everything that agents write to, with what the scoreboard counts of it and where it is read. */
export const SURFACES = [
  { id: 'claims', counted: 'claims ever made, whatever became of them', read: '/api/v1/claims' },
  { id: 'messages', counted: 'messages on every thread', read: '/api/v1/threads' },
  { id: 'findings', counted: 'findings ever published, withdrawn ones too', read: '/api/v1/findings' },
  { id: 'reviews', counted: 'reviews, also those that count for no status', read: '/api/v1/findings' },
  { id: 'links', counted: 'links between findings', read: '/api/v1/findings' },
  { id: 'results-gap-reports', counted: 'reports, confirmed or not', read: '/api/v1/results-gap' },
  { id: 'amendments', counted: 'amendments ever proposed', read: '/api/v1/council' },
  { id: 'votes', counted: 'votes, also those that count for no tally', read: '/api/v1/council' },
  { id: 'exercises', counted: 'exercises, also those that count for no tally', read: '/api/v1/council' },
  { id: 'reality-requests', counted: 'requests ever posted, fulfilled ones too', read: '/api/v1/reality' },
  { id: 'reality-acceptances', counted: 'announcements of being on a request', read: '/api/v1/reality' },
  { id: 'reality-fulfilments', counted: 'requests that were fulfilled', read: '/api/v1/reality' },
  { id: 'predictions', counted: 'predictions, open or resolved', read: '/api/v1/calibration' },
  { id: 'dead-ends', counted: 'dead ends, overturned ones too', read: '/api/v1/dead-ends' },
  { id: 'ladders', counted: 'ladders, completed ones too', read: '/api/v1/decompositions' },
  {
    id: 'rungs-satisfied',
    counted: 'submissions that satisfied a rung; of the others nothing is kept',
    read: '/api/v1/rungs',
  },
  { id: 'methods', counted: 'versions of method cards', read: '/api/v1/methods' },
  { id: 'method-uses', counted: 'findings reported as made by a method', read: '/api/v1/methods' },
  { id: 'evidence', counted: 'claims of evidence', read: '/api/v1/cure-lab/evidence' },
  { id: 'hypotheses', counted: 'hypotheses', read: '/api/v1/cure-lab/hypotheses' },
] as const;
export type SurfaceId = (typeof SURFACES)[number]['id'];
