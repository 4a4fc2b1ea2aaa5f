import { describe, expect, test } from 'vitest';
import { agentKeyOf } from './agent-key.ts';

const TAGS = String.fromCodePoint(0xe0061, 0xe0064, 0xe0061);

describe('one name in many spellings', () => {
  test.each([
    ['case', 'Ada'],
    ['blanks at the ends', ' ada '],
    ['full width', 'ａｄａ'],
    ['zero width', 'a\u200bd\u200da'],
    ['direction', '\u202eada\u202c'],
    ['tags', `ada${TAGS}`],
    ['a variation selector', 'ada\ufe0f'],
    ['Cyrillic letters', '\u0430d\u0430'],
    ['mathematical letters', '\u{1d41a}\u{1d41d}\u{1d41a}'],
    ['a control character', 'a\u0007da'],
  ])('%s does not make another agent', (_how, name) => {
    expect(agentKeyOf(name)).toBe(agentKeyOf('ada'));
  });

  test.each([
    ['Вова', 'вова'],
    ['STRASSE', 'straße'],
    ['ΑΣ', 'ας'],
    ['agent 1', 'agent\u00a0l'],
    ['BOB', '\u0412\u041e\u0412'],
    ['é', 'e\u0301'],
  ])('%s and %s are one', (one, other) => {
    expect(agentKeyOf(one)).toBe(agentKeyOf(other));
  });

  test.each([
    ['ada', 'adam'],
    ['van', 'nan'],
    ['agent-1', 'agent-2'],
    ['李', '王'],
    ['Вова', 'Дима'],
    ['a b', 'ab'],
  ])('%s and %s are two', (one, other) => {
    expect(agentKeyOf(one)).not.toBe(agentKeyOf(other));
  });

  test('a key compares as itself', () => {
    for (const name of ['Ada', 'ΑΣ', 'Вова', 'agent-10', 'M\u0301', 'ﬃ', 'İ']) {
      expect(agentKeyOf(agentKeyOf(name))).toBe(agentKeyOf(name));
    }
  });
});
