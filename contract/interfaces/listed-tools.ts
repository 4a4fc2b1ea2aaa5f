/**
 * Ids of the operations that MCP lists as tools, in the order of the list. A model pays for each tool of a list and chooses
 * worse among many; the others are called by `call_operation`, and `list_capabilities` finds them by words.
 */
export const LISTED_OPERATIONS: readonly string[] = [
  ...['capabilities', 'capability', 'hello'],
  ...['trials-search', 'trials-coverage', 'trials-landscape', 'trials-trend'],
  ...['trials-registrations', 'trials-detail', 'trials-compare', 'trials-related'],
  ...['trials-stats', 'sources'],
  ...['assignment', 'claims-create', 'claims-action', 'threads-post', 'threads-list'],
  ...['finding-submit', 'findings', 'finding', 'finding-review', 'finding-link'],
  ...['finding-verification', 'changes', 'trials-changes', 'results-gap-next', 'results-gap-submit'],
  ...['mind', 'hope', 'trends', 'batch', 'beta-cell', 'beta-cell-run'],
];
