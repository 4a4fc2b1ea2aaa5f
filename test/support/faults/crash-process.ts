/**
 * Publishes the working database of the data directory and dies at the k-th checkpoint as in a power cut: no handler
 * and no cleanup runs. crash.deep.test.ts starts it as `node crash-process.ts <root> <k>`; it exits with 0 when there are
 * fewer than k checkpoints.
 */
import { join } from 'node:path';
import { publish } from '../../../pipeline/publish/publish.ts';
import { openWorkingDatabase } from '../../../pipeline/store/database.ts';
import { buildTestImage, publishInputs, quietEffects, tinyCorpus } from '../../builders/working-database.ts';
import { CRASH_KEY } from './crash-key.ts';

const [root, killAt] = process.argv.slice(2) as [string, string];
const db = await openWorkingDatabase(join(root, 'data'));
let passed = 0;
const effects = quietEffects({
  checkpoint: () => {
    passed += 1;
    if (passed === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
});
await publish(publishInputs(root, tinyCorpus, { signers: [CRASH_KEY] }), db, buildTestImage, effects);
await db.close();
