import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf } from './prose.ts';

const CRITERIA = `Inclusion Criteria:

* Age \\>= 18 years
* Type 2 diabetes,
  diagnosed a year ago

Exclusion Criteria:

1. Pregnancy
2. HbA1c \\< 6

Others are asked
by telephone.`;

describe('prose of a registry', () => {
  it('has its headings, lists and paragraphs, and signs without the mark that protected them', () => {
    expect(blocksOf(CRITERIA)).toEqual([
      { kind: 'heading', text: 'Inclusion Criteria:' },
      { kind: 'list', items: ['Age >= 18 years', 'Type 2 diabetes, diagnosed a year ago'] },
      { kind: 'heading', text: 'Exclusion Criteria:' },
      { kind: 'list', items: ['1. Pregnancy', '2. HbA1c < 6'] },
      { kind: 'paragraph', text: 'Others are asked by telephone.' },
    ]);
  });

  it('keeps every word in its order', () => {
    const words = (text: string): string[] => text.match(/[A-Za-z]+/g) ?? [];
    const line = fc.string({ unit: fc.constantFrom('a', 'b', 'Word', ' ', '* ', '\n', '- ', '1. ', ':', '.') });
    fc.assert(
      fc.property(line, (text) => {
        const shown = blocksOf(text).flatMap((block) => (block.kind === 'list' ? block.items : [block.text]));
        expect(words(shown.join(' '))).toEqual(words(text));
      }),
    );
  });
});
