import { CALLED, nearestNames } from '../../contract/nearest-names.ts';
import type { Operation } from '../../contract/operation.ts';

const NEAR = 3;
/** Share of letters in which a name that was meant may differ. */
const MOST_UNLIKE = 0.4;

/**
 * What an ignored parameter of a read may have been meant for. Without it, an answer about everything looks like one to
 * the question.
 */
export function ignoredNotices({ method, query = {} }: Operation, ignored: readonly string[]): string[] {
  const known = Object.keys(query);
  if (method !== 'GET' || known.length === 0) return [];
  const callable = Object.keys(CALLED).filter((name) => known.includes(CALLED[name]!));
  return ignored.map((name) => {
    const near = nearestNames(name, [...known, ...callable], MOST_UNLIKE).map((one) => CALLED[one] ?? one);
    const meant = [...new Set(near)].slice(0, NEAR);
    return `${name} is no parameter here and had no effect.${meant.length === 0 ? '' : ` Did you mean ${meant.join(', ')}?`}`;
  });
}
