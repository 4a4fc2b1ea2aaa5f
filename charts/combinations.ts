import type { BetaCellCombination, BetaCellResult } from '../contract/schemas/beta-cell.ts';
import { barChart } from './bars.ts';
import { PAGE_SIZE } from './svg.ts';

/** `S + P` if suppression and protection are on, `none` if nothing is. */
export function combinationName({ suppression, replacement, protection }: BetaCellCombination): string {
  const on = [suppression && 'S', replacement && 'R', protection && 'P'].filter((letter) => letter !== false);
  return on.length === 0 ? 'none' : on.join(' + ');
}

/** The eight combinations of a plan at its last week; the run must have a plan. */
export function combinationsChart({ planner, input }: BetaCellResult, id: string): string {
  const combinations = planner?.combinations ?? [];
  return barChart(
    {
      categories: combinations.map(combinationName),
      series: [
        { name: 'native', values: combinations.map(({ native }) => native) },
        { name: 'graft', values: combinations.map(({ graft }) => graft) },
      ],
      unit: `C-peptide relative to week 0, at week ${input.durationWeeks}`,
      stacked: true,
      lying: true,
      ratios: true,
    },
    {
      id,
      ...PAGE_SIZE,
      label: `C-peptide at week ${input.durationWeeks} relative to native week 0, of native mass and graft, for each combination of immune suppression, replacement and graft protection. Hypothetical.`,
    },
  );
}
