import { expect, inject, test } from 'vitest';
import { readLog } from '../../snapshot/format/versions/publication-log.ts';
import { ofFile } from '../../test/support/of-file.ts';
import { openSample } from '../../test/support/snapshots/opened-sample.ts';
import { readTrial } from '../search/hints/held-trial.ts';
import { ProofStore } from './proof-store.ts';

const sample = ofFile(() => openSample());

test('more proofs than may wait are refused, and those that wait are made', async () => {
  await using proofs = new ProofStore();
  const log = await readLog(inject('sampleSnapshots'));
  const record = readTrial(sample.image, 0);
  const asked = Array.from({ length: 18 }, () =>
    proofs.bundle({ directory: sample.image.directory, manifest: sample.manifest }, record.canonicalId, {
      log,
      since: null,
    }),
  );
  const states = (await Promise.allSettled(asked)).map((one) =>
    one.status === 'rejected' ? (one.reason as Error).message : one.status,
  );
  expect(states.filter((state) => state === 'fulfilled')).toHaveLength(16);
  expect(states.slice(-2)).toEqual(['16 proofs wait already', '16 proofs wait already']);
});
