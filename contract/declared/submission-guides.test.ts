import { describe, expect, it } from 'vitest';
import { callsIn, unknownCallsIn } from '../../test/support/contract-texts.ts';
import { OPERATIONS } from '../operations.ts';
import { rejectionHint, SHARED_REJECTIONS } from './submission-guides.ts';

const sharing = OPERATIONS.filter(({ rejection = '' }) => SHARED_REJECTIONS.includes(rejection));

describe('a code that many surfaces share', () => {
  it('has a hint at each operation that names one read of its own surface', () => {
    expect(sharing).toHaveLength(18);
    for (const { id, rejection, path } of sharing) {
      const hint = rejectionHint(rejection!, id) ?? '';
      expect(unknownCallsIn(hint), id).toEqual([]);
      const [call, another] = callsIn(hint);
      expect(another, id).toBeUndefined();
      expect(call?.method, id).toBe('GET');
      // findings of /api/v1/findings/{id}/review
      const surface = path
        .replace(/\/\{.*$/, '')
        .split('/')
        .at(-1)!;
      expect(call?.path.split('/'), id).toContain(surface);
    }
  });

  it('has no hint of an operation that cannot answer it', () => {
    expect(rejectionHint('submission_rejected', 'claims-create')).toBeUndefined();
    expect(rejectionHint('INVALID_BODY', 'finding-submit')).toBeUndefined();
    expect(rejectionHint('submission_rejected', undefined)).toBeUndefined();
  });
});
