import { createRequire } from 'node:module';
import { type ResvgRenderOptions, renderAsync } from '@resvg/resvg-js';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { escapeMarkup } from '../../contract/markup.ts';

/** The size that previews of links are shown in (The Open Graph protocol names none; this is what all take). */
const WIDTH_PX = 1200;
const HEIGHT_PX = 630;
const EDGE_PX = 72;

/** A font of our own, so that a picture is the same on every machine. Letters that it lacks are drawn as boxes. */
const fontOf = (weight: string) =>
  createRequire(import.meta.url).resolve(`@expo-google-fonts/source-sans-3/${weight}/SourceSans3_${weight}.ttf`);
const FAMILY = 'Source Sans 3';
const OPTIONS: ResvgRenderOptions = {
  font: {
    loadSystemFonts: false,
    fontFiles: [fontOf('400Regular'), fontOf('600SemiBold')],
    defaultFontFamily: FAMILY,
  },
};

export interface Preview {
  title: string;
  /** The one number that stands for the page, and what it counts. */
  figure?: { value: string; label: string } | undefined;
  /** What must be known to read it, such as the snapshot. */
  note: string;
}

/** Letters that fit a line at each size, by the width of the wider ones. */
const TITLE = { size: 64, line: 76, letters: 36, lines: 3 };
const LABEL_LETTERS = 60;
const NOTE_LETTERS = 100;

/** The picture as SVG text; equal previews give equal text. */
export function previewSvg({ title, figure, note }: Preview): string {
  const lines = wrapped(title, TITLE.letters, TITLE.lines);
  const text = (y: number, size: number, weight: number, colour: string, words: string) =>
    `<text x="${EDGE_PX}" y="${y}" font-family="${FAMILY}" font-size="${size}" font-weight="${weight}" fill="${colour}">${escapeMarkup(words)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH_PX}" height="${HEIGHT_PX}">`,
    `<rect width="${WIDTH_PX}" height="${HEIGHT_PX}" fill="#fff"/><rect width="${WIDTH_PX}" height="16" fill="#12506b"/>`,
    text(108, 34, 600, '#12506b', 'Trial Board'),
    ...lines.map((line, place) => text(200 + place * TITLE.line, TITLE.size, 600, '#1d2329', line)),
    ...(figure === undefined
      ? []
      : [text(490, 96, 600, '#12506b', figure.value), text(536, 32, 400, '#1d2329', cut(figure.label, LABEL_LETTERS))]),
    text(594, 26, 400, '#515b66', cut(note, NOTE_LETTERS)),
    '</svg>',
  ].join('');
}

/** Pictures of about 40 kB each. */
const KEPT = 100;
const kept = new LRUCache<string, Buffer<ArrayBuffer>>({ max: KEPT });
/** A picture takes about 100 ms of a core beside the event loop: one at a time leaves the other cores to the pages. */
const drawing = new PQueue({ concurrency: 1 });

/** The picture as PNG. */
export async function previewPng(preview: Preview): Promise<Buffer<ArrayBuffer>> {
  const svg = previewSvg(preview);
  const known = kept.get(svg);
  if (known !== undefined) return known;
  const drawn = await drawing.add(async () => kept.get(svg) ?? Buffer.from((await renderAsync(svg, OPTIONS)).asPng()));
  kept.set(svg, drawn);
  return drawn;
}

/** Lines of at most so many letters, broken between words; the last one says by an ellipsis that there is more. */
function wrapped(text: string, letters: number, linesMax: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(cut(word, letters));
  }
  if (lines.length <= linesMax) return lines;
  const shown = lines.slice(0, linesMax);
  return [...shown.slice(0, -1), `${cut(shown.at(-1)!, letters - 1)}…`];
}

function cut(text: string, letters: number): string {
  const all = [...text];
  return all.length > letters ? `${all.slice(0, letters - 1).join('')}…` : text;
}
