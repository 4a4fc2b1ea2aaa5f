import { type GeoProjection, geoAzimuthalEqualArea, geoDistance, geoEqualEarth, geoInterpolate, geoPath } from 'd3-geo';
import { escapeMarkup } from '../contract/markup.ts';
import { nearOutline, type Piece, worldOutline } from './map-outline.ts';
import { colourOf, type Picture, RULE } from './svg.ts';

/** A place in degrees. */
export interface Place {
  latitude: number;
  longitude: number;
}

/** Places that lie close together on the picture, drawn as one. */
interface Cluster {
  x: number;
  y: number;
  places: number;
}

type Size = Pick<Picture, 'width' | 'height'>;

const MARGIN = 22;
/** Places farther than this from their middle need a map of the whole world. */
const NEAR_MAX_DEGREES = 55;
/** A map shows at least this many degrees, so that one place lies in a country and not on bare land. */
const NEAR_MIN_DEGREES = 8;
/** Puts the cut through the Bering Strait, where it crosses no country. */
const WORLD_ROTATION = -11;
/** Cuts off the empty south of a map of the world. */
const WORLD_STRETCH = 1.1;
/**
 * An outline turns inside out around the point opposite to the middle, and must be cut off there. No outline has longer steps than six degrees,
 * so that one which keeps so far from that point needs no cut, which takes five times as long as the rest.
 */
const BACK_DEGREES = 20;
const DEGREES = 180 / Math.PI;
/** A wider part of the world than this has no need of the finer outlines, which would take twice the bytes. */
const FINE_MAX_RADIANS = 1.8;
const DOT_RADIUS = 4.5;
const FONT_PIXELS = 12;

export function mapHeight(width: number): number {
  return Math.round(width * 0.52);
}

/**
 * A map of places over a coarse outline of countries: places that would cover each other are one circle with their
 * number. Its size does not grow with the number of places.
 */
export function siteMap(places: readonly Place[], { id, label, width, height }: Picture): string {
  const size = { width, height };
  const points = places.map(({ latitude, longitude }): Point => [longitude, latitude]);
  const { projection, land } = viewOf(points, size);
  const clusters = clustered(points.map((point) => projection(point) ?? [-1, -1]));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeMarkup(label)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<path id="${id}-land" d="${land}" fill="${RULE}" stroke="var(--paper, #fff)" stroke-width="0.7"/>`,
    `<g fill="${colourOf(0)}" stroke="var(--paper, #fff)">${clusters.map(circle).join('')}</g>`,
    `<g fill="var(--paper, #fff)" font-family="sans-serif" font-size="${FONT_PIXELS}" text-anchor="middle">${clusters.map(numberOf).join('')}</g>`,
    '</svg>',
  ].join('');
}

/** A point as d3-geo takes it: longitude first. */
type Point = [longitude: number, latitude: number];

interface View {
  projection: GeoProjection;
  /** Path of the land. */
  land: string;
}

/** The part of the world that holds the points, and how it lies on the picture. */
function viewOf(points: readonly Point[], size: Size): View {
  const { middle, radius } = circleAround(points);
  return radius > NEAR_MAX_DEGREES ? worldView(size) : nearView(points, middle, size);
}

/** A circle that holds all points and is little larger than it must be, in degrees. */
function circleAround(points: readonly Point[]): { middle: Point; radius: number } {
  const farthest = (from: Point): Point =>
    points.reduce((best, point) => (geoDistance(from, point) > geoDistance(from, best) ? point : best), from);
  const one = farthest(points[0]!);
  const middle = geoInterpolate(one, farthest(one))(0.5);
  return { middle, radius: geoDistance(middle, farthest(middle)) * DEGREES };
}

/** The outline of the world at each width that was asked for: it takes longer to draw than all else. */
const worldViews = new Map<number, View>();

function worldView({ width, height }: Size): View {
  const known = worldViews.get(width);
  if (known !== undefined) return known;
  const projection = geoEqualEarth()
    .rotate([WORLD_ROTATION, 0])
    .precision(0)
    .fitSize([width, height * WORLD_STRETCH], { type: 'Sphere' })
    .clipExtent(cornersOf({ width, height }));
  const view = { projection, land: pathOf(worldOutline(), projection) };
  worldViews.set(width, view);
  return view;
}

function nearView(points: readonly Point[], middle: Point, size: Size): View {
  const { width, height } = size;
  const projection = geoAzimuthalEqualArea().rotate([-middle[0], -middle[1]]).precision(0).translate([0, 0]).scale(1);
  const flat = points.map((point) => projection(point)!);
  const [across, down] = [rangeOf(flat.map(([x]) => x)), rangeOf(flat.map(([, y]) => y))];
  const least = NEAR_MIN_DEGREES / DEGREES;
  const scale = Math.min(
    (width - 2 * MARGIN) / Math.max(least, across.length),
    (height - 2 * MARGIN) / Math.max(least, down.length),
  );
  projection
    .scale(scale)
    .translate([width / 2 - scale * across.middle, height / 2 - scale * down.middle])
    .clipExtent(cornersOf(size));
  const seen = farthestSeen(projection, middle, size);
  const outline = width / scale > FINE_MAX_RADIANS ? worldOutline() : nearOutline();
  const pieces = outline.filter((piece) => isNear(piece, middle, seen));
  const back: Point = [middle[0] > 0 ? middle[0] - 180 : middle[0] + 180, -middle[1]];
  const { cut = [], whole = [] } = Object.groupBy(pieces, (piece) =>
    isNear(piece, back, BACK_DEGREES) ? 'cut' : 'whole',
  );
  projection.clipAngle(Math.min(170, seen + 5));
  const atBack = pathOf(cut, projection);
  projection.preclip((stream) => stream);
  return { projection, land: pathOf(whole, projection) + atBack };
}

function rangeOf(values: readonly number[]): { length: number; middle: number } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return { length: most - least, middle: (least + most) / 2 };
}

/** How far the corners of the picture lie from the middle, in degrees; a corner beyond the globe counts as its back. */
function farthestSeen(projection: GeoProjection, middle: Point, { width, height }: Size): number {
  const corners: Point[] = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ];
  const distances = corners.map((corner) => {
    const point = projection.invert?.(corner) ?? null;
    return point === null || Number.isNaN(point[0]) ? 180 : geoDistance(point, middle) * DEGREES;
  });
  return Math.max(...distances);
}

function cornersOf({ width, height }: Size): [[number, number], [number, number]] {
  return [
    [0, 0],
    [width, height],
  ];
}

/** Whether a piece of land may lie within some degrees of a place; to project the rest would only take time. */
function isNear({ west, east, south, north }: Piece, [longitude, latitude]: Point, degrees: number) {
  if (north < latitude - degrees || south > latitude + degrees) return false;
  const beside = degrees / Math.max(0.15, Math.cos(latitude / DEGREES));
  return [-360, 0, 360].some((turn) => east + turn > longitude - beside && west + turn < longitude + beside);
}

/** The path of the outlines in whole pixels, each step relative to the one before: a third of the usual length. */
function pathOf(pieces: readonly Piece[], projection: GeoProjection): string {
  const pen = new Pen();
  const draw = geoPath(projection, pen);
  for (const { polygon } of pieces) draw(polygon);
  return pen.path;
}

class Pen {
  path = '';
  /** The piece that is being drawn; the path is not read meanwhile, since that would copy all of it for each step. */
  #piece = '';
  #isFirst = true;
  #x = 0;
  #y = 0;
  beginPath(): void {}
  /** Part of what a pen must be able to do; no outline has one. */
  arc(): void {}
  moveTo(x: number, y: number): void {
    [this.#x, this.#y] = [Math.round(x), Math.round(y)];
    this.#piece = `M${this.#x} ${this.#y}l`;
    this.#isFirst = true;
  }
  lineTo(toX: number, toY: number): void {
    const [x, y] = [Math.round(toX) - this.#x, Math.round(toY) - this.#y];
    if (x === 0 && y === 0) return;
    this.#piece += `${spaced(x, this.#isFirst)}${spaced(y, false)}`;
    this.#isFirst = false;
    this.#x += x;
    this.#y += y;
  }
  closePath(): void {
    // A piece smaller than a pixel has a start alone.
    if (!this.#isFirst) this.path += `${this.#piece}z`;
  }
}

/** A number of a path; a minus parts it from the one before as a space does. */
function spaced(value: number, isFirst: boolean): string {
  return isFirst || value < 0 ? String(value) : ` ${value}`;
}

/** Unites circles until none covers another; the fullest keep their place. */
function clustered(points: readonly (readonly [number, number])[]): Cluster[] {
  const cells = new Map<string, Cluster>();
  for (const [x, y] of points) add(cells, `${Math.floor(x / DOT_RADIUS)} ${Math.floor(y / DOT_RADIUS)}`, x, y);
  let all = [...cells.values()];
  for (;;) {
    const apart: Cluster[] = [];
    for (const one of all.sort((a, b) => b.places - a.places || a.x - b.x || a.y - b.y)) {
      const other = apart.find((kept) => covers(kept, one));
      if (other === undefined) apart.push(one);
      else Object.assign(other, united(other, one));
    }
    if (apart.length === all.length) return apart;
    all = apart;
  }
}

function add(cells: Map<string, Cluster>, key: string, x: number, y: number): void {
  const cell = cells.get(key);
  cells.set(key, cell === undefined ? { x, y, places: 1 } : united(cell, { x, y, places: 1 }));
}

function united(a: Cluster, b: Cluster): Cluster {
  const places = a.places + b.places;
  const middle = (of: 'x' | 'y') => (a[of] * a.places + b[of] * b.places) / places;
  return { x: middle('x'), y: middle('y'), places };
}

function covers(a: Cluster, b: Cluster): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) < radiusOf(a) + radiusOf(b) - 2;
}

/** Room for the number; otherwise a circle tells by its size too, but not in proportion. */
function radiusOf({ places }: Cluster): number {
  return places === 1 ? DOT_RADIUS : 6 + 2 * String(places).length + Math.min(4, Math.log10(places) * 2);
}

function circle(cluster: Cluster): string {
  return `<circle cx="${cluster.x.toFixed(1)}" cy="${cluster.y.toFixed(1)}" r="${radiusOf(cluster).toFixed(1)}"/>`;
}

function numberOf({ x, y, places }: Cluster): string {
  return places === 1 ? '' : `<text x="${x.toFixed(1)}" y="${(y + 4).toFixed(1)}">${places}</text>`;
}
