import { escapeMarkup } from '../../contract/markup.ts';

/** Colours: the page may set them; the defaults are readable on white and on black. */
export const INK = 'var(--chart-ink, #6e7781)';
export const RULE = 'var(--chart-rule, #8c959f55)';
export const PAPER = 'var(--paper, #fff)';
const SERIES_COLOURS = [
  'var(--chart-1, #1f6feb)',
  'var(--chart-2, #bf5b04)',
  'var(--chart-3, #2da44e)',
  'var(--chart-4, #a475f9)',
  'var(--chart-5, #cf222e)',
] as const;

export function colourOf(place: number): string {
  return SERIES_COLOURS[place % SERIES_COLOURS.length]!;
}

export interface Picture {
  width: number;
  height: number;
  /** Text for readers who do not see the picture. */
  label: string;
}

/** Widths for which a chart of a page is drawn: its text of 12 px is then at least so large where it is shown, 358 px wide on a phone. */
export const WIDE_PX = 720;
export const NARROW_PX = 340;

/** Size of a picture that a page shows in one size. */
export const PAGE_SIZE = { width: NARROW_PX, height: 260 } as const;

const FONT_PX = 12;
/** A safe guess of a letter's width: no text may run out of its room. */
export const LETTER_PX = 6.6;

/** The edge of letters in the colour of the page hides the lines behind them. */
export const OVER_LINES = `stroke="${PAPER}" stroke-width="5" stroke-linejoin="round" paint-order="stroke"`;

/** SVG that a strict Content-Security-Policy allows: no script, no style element, no style attribute. Its text has 12 pixels unless it says otherwise. */
export function svgOf({ width, height, label }: Picture, parts: readonly string[]): string {
  return `<svg role="img" aria-label="${escapeMarkup(label)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg"><g font-family="sans-serif" font-size="${FONT_PX}" fill="${INK}">${parts.join('')}</g></svg>`;
}

/** A place on the picture to a tenth of a pixel, as short as it can be written. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
