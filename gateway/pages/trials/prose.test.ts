import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Extent } from './extent.ts';
import { blocksOf, foldedProse } from './prose.ts';

const WHOLE = new Extent({ items: 100, characters: 100_000, page: 1 });
const BEGINNING = new Extent({ items: 100, characters: 100_000 });

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

  it('folds away what follows the first sentences of a long text, and nothing where it stands alone', () => {
    const text = `${'A sentence of a summary. '.repeat(40)}The end.`;
    const folded = foldedProse(text, BEGINNING).text;
    const [shown, rest] = folded.split('<details>');
    expect(shown).toMatch(/summary\.<\/bdi><\/p>$/);
    expect(shown!.length).toBeLessThan(450);
    expect(rest).toContain('The end.');
    const words = `${'a sentence without an end, '.repeat(40)}the end.`;
    expect(foldedProse(words, BEGINNING).text.split('<details>')).toEqual([
      expect.stringMatching(/ (?:a|sentence|without|an|end,)<\/bdi><\/p>$/),
      expect.stringContaining('the end.'),
    ]);
    expect(foldedProse(text, WHOLE).text).not.toContain('<details>');
    expect(foldedProse('Short.', BEGINNING).text).toBe('<p class="prose"><bdi>Short.</bdi></p>');
  });
});
