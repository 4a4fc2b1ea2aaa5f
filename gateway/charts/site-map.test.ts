import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapHeight, type Place, siteMap } from './site-map.ts';

const WIDE = { label: 'Sites', width: 720, height: mapHeight(720) };
const NARROW = { label: 'Sites', width: 358, height: mapHeight(358) };

const LEEDS: Place = { latitude: 53.8, longitude: -1.55 };
const LONDON: Place = { latitude: 51.5, longitude: -0.12 };
const SYDNEY: Place = { latitude: -33.87, longitude: 151.21 };
const SUVA: Place = { latitude: -18.14, longitude: 178.44 };
const APIA: Place = { latitude: -13.83, longitude: -171.77 };
const MONGOLIA: Place = { latitude: 43, longitude: 100 };
const SOUTHERN_OCEAN: Place = { latitude: -63, longitude: 100 };

interface Circle {
  x: number;
  y: number;
  radius: number;
}

const circlesOf = (svg: string): Circle[] =>
  [...svg.matchAll(/<circle cx="([\d.-]+)" cy="([\d.-]+)" r="([\d.]+)"/g)].map(([, x, y, radius]) => ({
    x: Number(x),
    y: Number(y),
    radius: Number(radius),
  }));
const numbersOf = (svg: string): number[] => [...svg.matchAll(/>(\d+)<\/text>/g)].map(([, number]) => Number(number));

type Corner = [x: number, y: number];

/** The outlines of land by their corners. */
function outlinesOf(svg: string): Corner[][] {
  const [, land] = /<path[^>]* d="([^"]*)"/.exec(svg)!;
  return [...land!.matchAll(/M(-?\d+) (-?\d+)l([^z]*)z/g)].map(([, startX, startY, steps]) => {
    const numbers = steps!.match(/-?\d+/g)!.map(Number);
    const corners: Corner[] = [[Number(startX), Number(startY)]];
    for (let at = 0; at < numbers.length; at += 2) {
      const [x, y] = corners.at(-1)!;
      corners.push([x + numbers[at]!, y + numbers[at + 1]!]);
    }
    return corners;
  });
}

/** The longest line of an outline, from left to right, the one that closes it included. */
function widestStep(svg: string): number {
  return Math.max(
    ...outlinesOf(svg).flatMap((corners) =>
      corners.map(([x], at) => Math.abs(x - corners[(at + 1) % corners.length]![0])),
    ),
  );
}

describe('a map of sites', () => {
  it('has one circle for places that lie together, with their number, and one for each that lies apart', () => {
    const svg = siteMap([LEEDS, LEEDS, LEEDS, LONDON], WIDE);
    expect(circlesOf(svg)).toHaveLength(2);
    expect(numbersOf(svg)).toEqual([3]);
  });

  it('shows places on both sides of the date line beside each other', () => {
    const [fiji, samoa] = circlesOf(siteMap([SUVA, APIA], WIDE)).sort((a, b) => a.x - b.x);
    expect(samoa!.x - fiji!.x).toBeGreaterThan(100);
    expect(samoa!.y).toBeLessThan(fiji!.y);
  });

  it('shows the whole world where land would otherwise lie behind the places and be drawn round the picture', () => {
    const svg = siteMap([MONGOLIA, SOUTHERN_OCEAN], WIDE);
    // They lie on one meridian, and on a map of their part of the world one below the other.
    const [mongolia, ocean] = circlesOf(svg).sort((a, b) => a.y - b.y);
    expect(mongolia!.x - ocean!.x).toBeGreaterThan(10);
    const alaska = outlinesOf(svg)
      .flat()
      .filter(([x, y]) => x < 150 && y < 80);
    expect(alaska.length).toBeGreaterThan(10);
  });

  it('draws no outline across the world from one side of its cut to the other', () => {
    for (const size of [WIDE, NARROW]) {
      expect(widestStep(siteMap([LONDON, SYDNEY, APIA], size))).toBeLessThan(size.width / 8);
    }
  });

  it('stays small, inside the picture and without circles that cover each other, whatever the places', () => {
    const place = fc.record({
      latitude: fc.double({ min: -89, max: 89, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 150 }), (places) => {
        const svg = siteMap(places, WIDE);
        const circles = circlesOf(svg);
        expect(svg.length).toBeLessThan(60_000);
        expect(svg).not.toContain('NaN');
        expect(circles.length - numbersOf(svg).length + numbersOf(svg).reduce((sum, n) => sum + n, 0)).toBe(
          places.length,
        );
        for (const { x, y } of circles) {
          expect(x >= -1 && x <= WIDE.width + 1).toBe(true);
          expect(y >= -1 && y <= WIDE.height * 1.2).toBe(true);
        }
        for (const [place, one] of circles.entries()) {
          for (const other of circles.slice(place + 1)) {
            const apart = Math.hypot(one.x - other.x, one.y - other.y) - one.radius - other.radius;
            expect(apart).toBeGreaterThan(-2.5);
          }
        }
      }),
      { numRuns: 20 },
    );
  });
});
