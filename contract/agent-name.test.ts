import { describe, expect, it } from 'vitest';
import { agentName } from './schemas/board/board-fields.ts';

/** A name stands in lines of lists, logs and pages: one that shows nothing or breaks them names nobody. */

const issuesOf = (name: string): string[] =>
  agentName(1)
    .safeParse(name)
    .error?.issues.map(({ message }) => message) ?? [];
const ONE_LINE = 'expected one line without control characters (C0, C1) and line separators (U+2028, U+2029)';
const SEEN = 'expected at least one character that can be seen';

describe('the name of an agent', () => {
  it.each(['a\u0000b', 'a\nb', 'a\u001b[31m', 'a\u007f', 'a\u0085b', 'a\u2028b', 'a\u2029b'])(
    '%j is refused',
    (name) => {
      expect(issuesOf(name)).toEqual([ONE_LINE]);
    },
  );

  it.each(['\u200b', '\u2060\u200d', '\u3164', '\u{e0061}', '\u202e\u202c', '\ufe0f', '\u115f \u1160'])(
    '%j shows nothing and is refused',
    (name) => {
      expect(issuesOf(name)).toEqual([SEEN]);
    },
  );

  it.each(['ada', 'Bo 2', '李', '🧪', '\u202eada', 'عَ', '-', '\ufeffx', 'e\u0301'])('%j is taken', (name) => {
    expect(issuesOf(name)).toEqual([]);
  });
});
