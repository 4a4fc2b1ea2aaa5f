import { describe, expect, it } from 'vitest';
import { emptyManifest } from '../../test/builders/manifest.ts';
import { basisOf } from './registry-answer.ts';
import type { ManifestRegistry } from './versions/manifest.ts';

const LIVE = emptyManifest('20261121T031500Z-0a1b2c3d').registries[0] as ManifestRegistry;
const basis = (changes: Partial<ManifestRegistry>) => basisOf({ ...LIVE, ...changes }, { asOf: '2026-11-20' });

describe('what stands behind a registry', () => {
  it('is its answer, or its last good set while the latest attempt failed, or nothing', () => {
    expect(basis({}).answer).toBe('answered');
    expect(basis({ stale: true }).answer).toBe('kept');
    const never = { state: 'unanswered', lastSuccessAt: null, complete: false } as const;
    expect(basis(never)).toEqual({ answer: 'unanswered', evidenceAt: null, dataDay: null, complete: false });
    expect(basis({ ...never, stale: true }).answer).toBe('unanswered');
  });

  it('is of the day that the registry states for its data, else of the day it was read', () => {
    expect(basis({}).dataDay).toBe('2026-11-21');
    expect(basis({ dataTimestamp: '2026-11-18T09:00:05' }).dataDay).toBe('2026-11-18');
  });

  it('is no younger than the snapshot where an older manifest dates a dump by its reading', () => {
    const dump = { source: 'dump', complete: true } as const;
    const old = { evidenceAt: '2026-11-20T00:00:00.000Z', dataDay: '2026-11-20', complete: false };
    expect(basis(dump)).toMatchObject(old);
    expect(basis({ ...dump, lastSuccessAt: '2026-11-19T03:15:00Z' }).dataDay).toBe('2026-11-19');
    const dated = { ...dump, lastSuccessAt: '2022-04-01T00:00:00.000Z' };
    expect(basis({ ...dated, dumpDay: { day: '2022-04-01', from: 'stated' } }).dataDay).toBe('2022-04-01');
  });
});
