import { expect, it } from 'vitest';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { emptyManifest } from '../../test/builders/manifest.ts';
import type { Mixes } from '../search/counting/landscape.ts';
import { againstReply } from './landscape-against.ts';

const counts = (trials: number): Mixes => ({
  trials,
  phases: [{ value: '1', trials }],
  statuses: [],
  recruitmentStatuses: [],
  studyTypes: [],
  sponsorClasses: [],
});

/** A version in which ISRCTN never answered, or did. */
function manifest(version: string, state: 'answered' | 'unanswered'): Manifest {
  const made = emptyManifest(version);
  const registry = (id: 'clinicaltrials_gov' | 'isrctn', of: 'answered' | 'unanswered') => ({
    registry: id,
    state: of,
    registrations: of === 'answered' ? 1 : null,
    lastSuccessAt: of === 'answered' ? '2026-10-01T00:00:00.000Z' : null,
  });
  return {
    ...made,
    registries: [registry('clinicaltrials_gov', 'answered'), registry('isrctn', state)],
  } as unknown as Manifest;
}

it('a change is unknown where a registry that the query covers answered in only one of both versions', () => {
  const before = { manifest: manifest('20261001T031500Z-0a1b2c3d', 'unanswered'), counts: counts(3) };
  const now = { manifest: manifest('20261002T031500Z-0a1b2c3d', 'answered'), counts: counts(8) };
  const reply = againstReply(before, now, undefined);
  expect(reply.trials).toEqual({ before: 3, now: 8, change: null });
  expect(reply.phases).toEqual([{ value: '1', before: 3, now: 8, change: null }]);
  expect(reply.registries[1]).toMatchObject({ before: { state: 'unanswered' }, now: { state: 'answered' } });
  expect(againstReply(before, now, ['clinicaltrials_gov']).trials.change).toBe(5);
  expect(againstReply(now, now, undefined).trials.change).toBe(0);
});
