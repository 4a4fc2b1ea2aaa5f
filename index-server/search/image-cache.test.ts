import { describe, expect, it } from 'vitest';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { ImageCache } from './image-cache.ts';

const image = (): SnapshotImage => ({}) as SnapshotImage;

describe('finished answers of an image', () => {
  it('are never those of another image', () => {
    const cache = new ImageCache<string>(10);
    const [before, after] = [image(), image()];
    cache.set(before, 'q', 'old');
    expect(cache.get(after, 'q')).toBeUndefined();
    cache.set(after, 'q', 'new');
    expect([cache.get(before, 'q'), cache.get(after, 'q')]).toEqual(['old', 'new']);
  });

  it('cost no more together than allowed: those asked for longest ago go first', () => {
    const cache = new ImageCache<string>(10, ({ length }) => length);
    const one = image();
    cache.set(one, 'a', '1234');
    cache.set(one, 'b', '1234');
    expect(cache.get(one, 'a')).toBe('1234');
    cache.set(one, 'c', '1234');
    expect(['a', 'b', 'c'].map((key) => cache.get(one, key))).toEqual(['1234', undefined, '1234']);
    cache.set(one, 'c', '12345678');
    expect(['a', 'c'].map((key) => cache.get(one, key))).toEqual([undefined, '12345678']);
    cache.set(one, 'd', '12345678901');
    expect(['c', 'd'].map((key) => cache.get(one, key))).toEqual(['12345678', undefined]);
  });
});
