import { RE2JS } from 're2js';
import { ACCEPTANCE_PATTERN_MAX_INSTRUCTIONS } from '../../../contract/limits/acceptance.ts';
import { type AcceptanceRule, patternFault } from '../../../contract/schemas/board/acceptance.ts';

/** A compiled pattern: matched in time linear in instructions times characters. */
export interface Pattern {
  instructions: number;
  matches(text: string): boolean;
}

/** Compiles a pattern; a string says why it cannot be used. What would grow large is refused before it is compiled. */
export function compilePattern(pattern: string): Pattern | string {
  const fault = patternFault(pattern);
  if (fault !== null) return fault;
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch {
    return 'expected a pattern in RE2 syntax: no look-around, no back-references';
  }
  const instructions = compiled.programSize();
  if (instructions > ACCEPTANCE_PATTERN_MAX_INSTRUCTIONS) {
    return `expected a simpler pattern: this one takes ${instructions} instructions, at most ${ACCEPTANCE_PATTERN_MAX_INSTRUCTIONS} are run`;
  }
  return { instructions, matches: (text) => compiled.test(text) };
}

/** One issue for each pattern among rules that cannot be used; `at` is where the rules stand in the body. */
export function patternIssues(rules: readonly AcceptanceRule[], at: string): { path: string; message: string }[] {
  return rules.flatMap((rule, place) => {
    if (rule.rule !== 'pattern') return [];
    const compiled = compilePattern(rule.pattern);
    return typeof compiled === 'string' ? [{ path: `${at}.${place}.pattern`, message: compiled }] : [];
  });
}

/** Makes the tables of Unicode classes now; otherwise the first request that needs them would wait for all of them. */
export function preparePatterns(): void {
  const pattern = compilePattern('(?i)[\\pL\\pN]{2,9}x$');
  if (typeof pattern !== 'string') pattern.matches('any text, in größter Eile '.repeat(9));
}
