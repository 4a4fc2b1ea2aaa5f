import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { angle, middleOf, type Vector, vectorOf } from './sphere.ts';

/** The outlines of the world's countries: Natural Earth, public domain, as the package `world-atlas` packs them. */

type Position = readonly number[];

/** One piece of a country's land. */
export interface Piece {
  /** Its coast and the shores of its holes. */
  rings: readonly (readonly Vector[])[];
  /** It lies within so many radians around its middle. */
  middle: Vector;
  reach: number;
}

/** Steps of a coast shorter than this many degrees are left out; a map of one country is about 8 degrees wide. */
const STEP_DEGREES = 0.2;
/** Islands whose outline has fewer steps are left out, since they would be dots that look like sites. */
const LEAST_STEPS = 8;

/** Antarctica has no site, and would take a fifth of the picture. */
const ANTARCTICA = -0.9;

let world: readonly Piece[] | undefined;
let near: readonly Piece[] | undefined;

/** Outlines for a map of the whole world. */
export function worldOutline(): readonly Piece[] {
  world ??= piecesOf(topologyOf('countries-110m'), 0);
  return world;
}

/** Finer outlines for a map of a part of it. */
export function nearOutline(): readonly Piece[] {
  near ??= piecesOf(simplified(topologyOf('countries-50m')), LEAST_STEPS);
  return near;
}

type Atlas = Topology<{ countries: GeometryCollection }>;

function topologyOf(name: string): Atlas {
  const path = createRequire(import.meta.url).resolve(`world-atlas/${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Atlas;
}

/** With fewer steps in each arc. Neighbours share their arcs, so that borders stay closed. */
function simplified({ transform, arcs, ...rest }: Atlas): Atlas {
  if (transform === undefined) throw new Error('the outlines are not packed as expected');
  const [scaleX, scaleY] = transform.scale;
  const [originX, originY] = transform.translate;
  return {
    ...rest,
    arcs: arcs.map((arc) => {
      let [x, y] = [0, 0];
      const positions = arc.map((step): number[] => {
        x += step[0]!;
        y += step[1]!;
        return [x * scaleX + originX, y * scaleY + originY];
      });
      return spaced(positions);
    }),
  };
}

function spaced(positions: number[][]): number[][] {
  const kept = [positions[0]!];
  for (const position of positions.slice(1, -1)) {
    const last = kept.at(-1)!;
    if (Math.hypot(position[0]! - last[0]!, position[1]! - last[1]!) > STEP_DEGREES) kept.push(position);
  }
  return positions.length > 1 ? [...kept, positions.at(-1)!] : kept;
}

function piecesOf(atlas: Atlas, leastSteps: number): Piece[] {
  const polygons = feature(atlas, atlas.objects.countries).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return [geometry.coordinates];
    return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
  });
  const seen = polygons.filter(([coast]) => coast!.length > leastSteps).map(piece);
  return seen.filter(({ middle }) => middle[2] > ANTARCTICA);
}

function piece(coordinates: readonly (readonly Position[])[]): Piece {
  const rings = coordinates.map((ring) => ring.map(([longitude, latitude]) => vectorOf(longitude!, latitude!)));
  const middle = middleOf(rings[0]!);
  return { rings, middle, reach: Math.max(...rings[0]!.map((one) => angle(one, middle))) };
}
