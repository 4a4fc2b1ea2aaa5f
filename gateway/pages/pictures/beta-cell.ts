import type { BetaCellResult } from '../../../contract/schemas/research/beta-cell.ts';
import { combinationName, combinationsChart, fitChart, fitRows, planChart } from '../../charts/beta-cell.ts';
import { PAGE_SIZE } from '../../charts/svg.ts';
import { pathWith } from '../kit/address.ts';
import { column, type DrawnPicture, type Own } from '../kit/picture.ts';

/** The pictures of one run of the beta-cell model. Their address is the input of the run. */

const ROUNDED_DIGITS = 6;
/** In a file the picture is wider, in the same proportion. */
const HEIGHT_BY_WIDTH = PAGE_SIZE.height / PAGE_SIZE.width;

const rounded = (value: number): number => Number(value.toPrecision(ROUNDED_DIGITS));
const relative = (name: string, heading: string) =>
  column(name, heading, 'C-peptide relative to native week 0', 'number');

const PICTURES = {
  'beta-cell-fit': {
    draw: fitChart,
    title: 'Fit of each arm, the visits that it used and the visits held out',
    columns: [
      column('line', 'Line', 'arm, and whether observed, held out or fitted'),
      column('week', 'Week', 'since the first visit', 'number'),
      relative('value', 'Over week 0'),
    ],
    rows: (result: BetaCellResult) => fitRows(result).map((row) => ({ ...row, value: rounded(row.value) })),
  },
  'beta-cell-plan': {
    draw: planChart,
    title: 'The control fit without and with a hypothetical plan',
    columns: [
      column('week', 'Week', 'of the plan', 'number'),
      relative('unperturbed', 'Without the plan'),
      relative('native', 'Native'),
      relative('graft', 'Graft'),
      relative('total', 'Total'),
    ],
    rows: ({ planner }: BetaCellResult) =>
      (planner?.curve ?? []).map(({ week, unperturbed, native, graft, total }) => ({
        ...{ week, unperturbed: rounded(unperturbed), native: rounded(native) },
        ...{ graft: rounded(graft), total: rounded(total) },
      })),
  },
  'beta-cell-combinations': {
    draw: combinationsChart,
    title: 'The last week with each part of a hypothetical plan on or off',
    columns: [
      column('combination', 'On', 'S: immune suppression, R: replacement, P: graft protection'),
      column('suppression', 'Suppression', 'whether it is on', 'boolean'),
      column('replacement', 'Replacement', 'whether it is on', 'boolean'),
      column('protection', 'Protection', 'whether it is on', 'boolean'),
      relative('native', 'Native'),
      relative('graft', 'Graft'),
      relative('total', 'Total'),
    ],
    rows: ({ planner }: BetaCellResult) =>
      (planner?.combinations ?? []).map((one) => ({
        combination: combinationName(one),
        ...{ suppression: one.suppression, replacement: one.replacement, protection: one.protection },
        ...{ native: rounded(one.native), graft: rounded(one.graft), total: rounded(one.total) },
      })),
  },
} as const;
export type BetaCellPicture = keyof typeof PICTURES;

export function betaCellPicture(name: BetaCellPicture, result: BetaCellResult, own: Own): DrawnPicture {
  const { draw, title, columns, rows } = PICTURES[name];
  const { dataset, planner, replay } = result;
  const source = dataset.synthetic
    ? 'The values are synthetic: none was measured.'
    : dataset.registration === null
      ? 'The values are as whoever made the address gave them, not verified.'
      : 'The values are published averages.';
  return {
    ...{ name, own, title },
    definition: `${source} Beta-cell model ${replay.version}, input ${replay.inputSha256}. It says nothing about any one person${name === 'beta-cell-fit' ? '' : ', and a plan is hypothetical'}; the order ranks nothing.${name !== 'beta-cell-fit' && planner === null ? ' There is no plan: it needs the fit of the control arm, which could not be made.' : ''}`,
    page: pathWith('/beta-cell', own),
    ...{ columns, rows: rows(result) },
    draw:
      name !== 'beta-cell-fit' && planner === null
        ? null
        : (width) => draw(result, { width, height: Math.round(width * HEIGHT_BY_WIDTH) }),
  };
}
