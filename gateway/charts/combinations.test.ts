import { describe, expect, it } from 'vitest';
import { BETA_CELL_EXAMPLE } from '../../contract/operations/research/twin-beta-cell.ts';
import type { BetaCellResult } from '../../contract/schemas/research/beta-cell.ts';
import { runBetaCell } from '../../twin/beta-cell/run.ts';
import { combinationsChart } from './beta-cell.ts';

const { customDataset, ...input } = BETA_CELL_EXAMPLE;
const RESULT = { input, ...runBetaCell(input, customDataset) } as unknown as BetaCellResult;

describe('the picture of the combinations', () => {
  const svg = combinationsChart(RESULT);
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

  it('names all eight in the order of the run, and what is stacked', () => {
    const names = ['none', 'P', 'R', 'R + P', 'S', 'S + P', 'S + R', 'S + R + P'];
    expect(texts.filter((text) => names.includes(text!))).toEqual(names);
    expect(texts).toEqual(expect.arrayContaining(['native', 'graft', 'C-peptide relative to week 0, at week 52']));
  });

  it('has parts of one on its axis', () => {
    expect(texts).toContain('0.5');
  });

  it('tells a reader who does not see it what it shows', () => {
    expect(svg).toMatch(/^<svg role="img" aria-label="C-peptide at week 52 relative to native week 0/);
  });
});
