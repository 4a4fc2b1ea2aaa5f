/** Places on a globe as vectors of length 1, in which a turn of the globe takes no sines and cosines. */

export type Vector = readonly [x: number, y: number, z: number];

const DEGREES = 180 / Math.PI;

export function vectorOf(longitude: number, latitude: number): Vector {
  const [east, north] = [longitude / DEGREES, latitude / DEGREES];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Between two places, in radians. */
export function angle(a: Vector, b: Vector): number {
  return Math.acos(Math.max(-1, Math.min(1, dot(a, b))));
}

/** The place in the middle of others; not a number where they are opposite to each other. */
export function middleOf(all: readonly Vector[]): Vector {
  const [x, y, z] = [0, 1, 2].map((axis) => all.reduce((sum, one) => sum + one[axis]!, 0)) as [number, number, number];
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** A place on a flat map of scale 1, to the right and downwards of its middle. */
export type Projection = (place: Vector) => readonly [x: number, y: number];

/** Lambert's azimuthal equal-area projection around a place: areas are right, and the back of the globe is a circle of radius 2. */
export function around(middle: Vector): Projection {
  const across = Math.hypot(middle[0], middle[1]);
  const east: Vector = across === 0 ? [0, 1, 0] : [-middle[1] / across, middle[0] / across, 0];
  const north: Vector = [-middle[2] * east[1], middle[2] * east[0], across];
  return (place) => {
    const stretch = Math.sqrt(2 / Math.max(Number.EPSILON, 1 + dot(place, middle)));
    return [stretch * dot(place, east), -stretch * dot(place, north)];
  };
}

/** The angle that lies so far from the middle of such a map. */
export function angleAt(distance: number): number {
  return 2 * Math.asin(Math.min(1, distance / 2));
}

/** Half the width of `equalEarth`. */
export const EQUAL_EARTH_HALF_WIDTH = 2.7066;
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796];

/** The Equal Earth projection of Šavrič, Patterson and Jenny (2018), with the meridian `longitude` in its middle. */
export function equalEarth(longitude: number): Projection {
  return ([x, y, z]) => {
    const turned = Math.atan2(y, x) - longitude / DEGREES;
    const east = turned - 2 * Math.PI * Math.round(turned / (2 * Math.PI));
    const t = Math.asin((Math.sqrt(3) / 2) * z);
    const [square, sixth] = [t * t, t ** 6];
    const across = 3 * (A1 + 3 * A2 * square + sixth * (7 * A3 + 9 * A4 * square));
    return [(2 * Math.sqrt(3) * east * Math.cos(t)) / across, -t * (A1 + A2 * square + sixth * (A3 + A4 * square))];
  };
}
