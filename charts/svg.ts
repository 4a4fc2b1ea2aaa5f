import { LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { escapeMarkup } from '../contract/markup.ts';

use([LineChart, ScatterChart, GridComponent, LegendComponent, MarkLineComponent, SVGRenderer]);

/** Colours: the page may set them; the defaults are readable on white and on black. */
export const INK = 'var(--chart-ink, #6e7781)';
export const RULE = 'var(--chart-rule, #8c959f55)';
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

/** Colours of an axis, its labels and its name. */
export const AXIS = {
  axisLabel: { color: INK },
  axisLine: { lineStyle: { color: INK } },
  nameTextStyle: { color: INK },
} as const;

/** The legend of several series, above the picture. */
export function legendOf(names: readonly string[]) {
  return { top: 0, itemGap: 26, textStyle: { color: INK }, data: names, selectedMode: false };
}

/** What an entry of the legend takes beside its name, what a letter takes, and the height of a row. */
const ENTRY_PX = 44;
const LETTER_PX = 6.5;
export const LEGEND_ROW_PX = 28;

/** Rows of a legend that wraps between its entries. */
export function legendRows(names: readonly string[], width: number): number {
  let rows = 1;
  let taken = 0;
  for (const name of names) {
    const entry = ENTRY_PX + name.length * LETTER_PX;
    if (taken > 0 && taken + entry > width) {
      rows += 1;
      taken = 0;
    }
    taken += entry;
  }
  return rows;
}

export interface Picture {
  /** Letters, digits and hyphens; keeps the ids of two pictures on one page apart. */
  id: string;
  width: number;
  height: number;
  /** Text for readers who do not see the picture. */
  label: string;
}

/** Widths for which a chart of a page is drawn: its text of 12 px is then at least so large where it is shown, 358 px wide on a phone. */
export const WIDE_PX = 720;
export const NARROW_PX = 340;

/** Size of a picture on a page: its text of 12 px stays above 10 px on a phone that shows it 358 px wide. */
export const PAGE_SIZE = { width: 420, height: 320 } as const;

/** Below this width, a legend takes several rows and axes take less room. */
const NARROW_BELOW_PX = 600;

export function isNarrow({ width }: Pick<Picture, 'width'>): boolean {
  return width < NARROW_BELOW_PX;
}

const FONT_STYLE = /style="font-size:(\d+)px;font-family:([a-z-]+);?(font-weight:bold;)?"/g;

/**
 * Draws a chart as SVG text that a strict Content-Security-Policy allows: no script, no style element, no style
 * attribute. Equal options give equal text.
 */
export function drawSvg(option: EChartsCoreOption, { id, width, height, label }: Picture): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({ animation: false, textStyle: { color: INK, fontFamily: 'sans-serif' }, ...option });
    return (
      chart
        .renderToSVGString()
        .replaceAll(/<style[\s\S]*?<\/style>\s*/g, '')
        .replaceAll(/ (?:class|ecmeta_[a-z_]+|pointer-events|xmlns:xlink|baseProfile)="[^"]*"/g, '')
        .replaceAll(
          FONT_STYLE,
          (_style, size, family, bold) =>
            `font-size="${size}" font-family="${family}"${bold ? ' font-weight="bold"' : ''}`,
        )
        // The library counts its charts, so that its own ids would depend on what was drawn before.
        .replaceAll(/\bzr\d+-/g, `${id}-`)
        .replace('<svg ', `<svg role="img" aria-label="${escapeMarkup(label)}" `)
    );
  } finally {
    // An undisposed chart keeps the process alive.
    chart.dispose();
  }
}
