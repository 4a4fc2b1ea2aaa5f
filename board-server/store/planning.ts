/**
 * The text of a compiled query with its parameters hidden from SQLite's planner: where it has looked at one, for a LIMIT
 * or against the columns of an ORDER BY, it plans the statement anew at each binding, which costs several times what a
 * look-up does. A plus sign changes neither value nor index; a LIMIT is seen through one, so it gets a sum.
 */
export function plannedOnce(text: string): string {
  return text.replaceAll(/\b(limit|offset) \?/g, '$1 (? + 0)').replaceAll(/([=<>]) \?/g, '$1 +?');
}
