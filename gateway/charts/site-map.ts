import { nearOutline, type Piece, worldOutline } from './map-outline.ts';
import {
  angle,
  angleAt,
  around,
  EQUAL_EARTH_HALF_WIDTH,
  equalEarth,
  middleOf,
  type Projection,
  type Vector,
  vectorOf,
} from './sphere.ts';
import { colourOf, PAPER, type Picture, RULE, svgOf } from './svg.ts';

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
  radius: number;
}

type Size = Pick<Picture, 'width' | 'height'>;

const MARGIN = 22;
const DEGREES = 180 / Math.PI;
/** Places farther than this from their middle need a map of the whole world. */
const NEAR_MAX = 55 / DEGREES;
/** A map shows at least this part of the world, so that one place lies in a country and not on bare land. */
const NEAR_MIN = 8 / DEGREES;
/** Land that reaches so far from the middle would be drawn around the whole picture. */
const BACK = 165 / DEGREES;
/** Puts the cut through the Bering Strait at 168.5° W, between Big Diomede and Alaska: half a degree farther west it crosses Russia. */
const WORLD_MIDDLE = 11.5;
/** Leaves out the empty south of a map of the world. */
const WORLD_MIDDLE_DOWN = 0.55;
/** A wider part of the world than this has no need of the finer outlines, which would take twice the bytes. */
const FINE_MAX_RADIANS = 1.8;
const DOT_RADIUS = 4.5;

export function mapHeight(width: number): number {
  return Math.round(width * 0.52);
}

/**
 * A map of places over a coarse outline of countries: places that would cover each other are one circle with their
 * number. Its size does not grow with the number of places.
 */
export function siteMap(places: readonly Place[], picture: Picture): string {
  const points = places.map(({ latitude, longitude }) => vectorOf(longitude, latitude));
  const { project, land } = nearView(points, picture) ?? worldView(picture);
  const clusters = clustered(points.map(project));
  return svgOf(picture, [
    `<path d="${land}" fill="${RULE}" stroke="${PAPER}" stroke-width="0.7"/>`,
    `<g fill="${colourOf(0)}" stroke="${PAPER}">${clusters.map(circle).join('')}</g>`,
    `<g fill="${PAPER}" text-anchor="middle">${clusters.map(numberOf).join('')}</g>`,
  ]);
}

interface View {
  /** The place of a point on the picture, in pixels. */
  project: Projection;
  /** Path of the land. */
  land: string;
}

/** A place in the middle of all points, from which none is much farther than it must be. */
function middleOfAll(points: readonly Vector[]): Vector {
  const farthest = (from: Vector): Vector =>
    points.reduce((best, point) => (angle(from, point) > angle(from, best) ? point : best), from);
  const one = farthest(points[0]!);
  return middleOf([one, farthest(one)]);
}

/** The part of the world that holds the points; null where they are all over it. */
function nearView(points: readonly Vector[], { width, height }: Size): View | null {
  const middle = middleOfAll(points);
  if (!points.every((point) => angle(point, middle) <= NEAR_MAX)) return null;
  const flat = around(middle);
  const places = points.map(flat);
  const [across, down] = [rangeOf(places.map(([x]) => x)), rangeOf(places.map(([, y]) => y))];
  const scale = Math.min(
    (width - 2 * MARGIN) / Math.max(NEAR_MIN, across.length),
    (height - 2 * MARGIN) / Math.max(NEAR_MIN, down.length),
  );
  const [left, top] = [width / 2 - scale * across.middle, height / 2 - scale * down.middle];
  const project: Projection = (point) => {
    const [x, y] = flat(point);
    return [left + scale * x, top + scale * y];
  };
  const seen = angleAt(Math.hypot(Math.max(left, width - left), Math.max(top, height - top)) / scale);
  const pieces = (width / scale > FINE_MAX_RADIANS ? worldOutline() : nearOutline()).filter(
    (piece) => angle(piece.middle, middle) - piece.reach < seen,
  );
  if (pieces.some((piece) => reachesBack(piece, middle))) return null;
  return { project, land: landOf(pieces, project, { width, height }) };
}

function reachesBack({ rings, middle: of, reach }: Piece, middle: Vector): boolean {
  return angle(of, middle) + reach > BACK && rings[0]!.some((point) => angle(point, middle) > BACK);
}

/** The map of the world at each width that was asked for: it takes longer to draw than all else. */
const worldViews = new Map<number, View>();

function worldView(size: Size): View {
  const { width, height } = size;
  const known = worldViews.get(width);
  if (known !== undefined) return known;
  const flat = equalEarth(WORLD_MIDDLE);
  const scale = width / 2 / EQUAL_EARTH_HALF_WIDTH;
  const project: Projection = (point) => {
    const [x, y] = flat(point);
    return [width / 2 + scale * x, height * WORLD_MIDDLE_DOWN + scale * y];
  };
  const view = { project, land: landOf(worldOutline(), project, size) };
  worldViews.set(width, view);
  return view;
}

function rangeOf(values: readonly number[]): { length: number; middle: number } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return { length: most - least, middle: (least + most) / 2 };
}

function landOf(pieces: readonly Piece[], project: Projection, size: Size): string {
  return pieces.flatMap(({ rings }) => rings.map((ring) => pathOf(ring, project, size))).join('');
}

/** The path of an outline in whole pixels, each step relative to the one before: a third of the usual length. A piece smaller than a pixel has none. */
function pathOf(ring: readonly Vector[], project: Projection, { width, height }: Size): string {
  const xs: number[] = [];
  const ys: number[] = [];
  /** The sides of the picture that the last step lies beyond, a bit for each; those that it and the step before do; and those that all do. */
  let [last, lastTwo, all] = [0, 0, 15];
  for (const place of ring) {
    const point = project(place);
    const [x, y] = [Math.round(point[0]), Math.round(point[1])];
    const end = xs.length - 1;
    if (xs[end] === x && ys[end] === y) continue;
    const beyond = (x < 0 ? 1 : x > width ? 2 : 0) | (y < 0 ? 4 : y > height ? 8 : 0);
    // What lies between two steps beyond a side is not seen if it lies beyond it too.
    const at = (lastTwo & beyond) !== 0 ? end : end + 1;
    xs[at] = x;
    ys[at] = y;
    lastTwo = at === end ? lastTwo & beyond : last & beyond;
    last = beyond;
    all &= beyond;
  }
  if (xs.length < 2 || all !== 0) return '';
  let path = `M${xs[0]} ${ys[0]}l${xs[1]! - xs[0]!}${spaced(ys[1]! - ys[0]!)}`;
  for (let at = 2; at < xs.length; at += 1) path += spaced(xs[at]! - xs[at - 1]!) + spaced(ys[at]! - ys[at - 1]!);
  return `${path}z`;
}

/** A number of a path; a minus parts it from the one before as a space does. */
function spaced(value: number): string {
  return value < 0 ? String(value) : ` ${value}`;
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
  const one = { x, y, places: 1, radius: DOT_RADIUS };
  cells.set(key, cell === undefined ? one : united(cell, one));
}

function united(a: Cluster, b: Cluster): Cluster {
  const places = a.places + b.places;
  const middle = (of: 'x' | 'y') => (a[of] * a.places + b[of] * b.places) / places;
  return { x: middle('x'), y: middle('y'), places, radius: radiusOf(places) };
}

function covers(a: Cluster, b: Cluster): boolean {
  const apart = a.radius + b.radius - 2;
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2 < apart ** 2;
}

/** Room for the number; otherwise a circle tells by its size too, but not in proportion. */
function radiusOf(places: number): number {
  return 6 + 2 * String(places).length + Math.min(4, Math.log10(places) * 2);
}

function circle({ x, y, radius }: Cluster): string {
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}"/>`;
}

function numberOf({ x, y, places }: Cluster): string {
  return places === 1 ? '' : `<text x="${x.toFixed(1)}" y="${(y + 4).toFixed(1)}">${places}</text>`;
}
