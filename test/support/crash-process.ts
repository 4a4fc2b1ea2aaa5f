/**
 * Publishes the working database that is in the data directory and dies at its k-th checkpoint, as a power cut would end it: no handler
 * and no cleaning up runs. Started by crash.test.ts: `node crash-process.ts <root> <k>`; exits 0 when there were
 * fewer than k checkpoints.
 */
import { join } from 'node:path';
import { publish } from '../../pipeline/publish/publish.ts';
import { openWorkingDatabase } from '../../pipeline/store/database.ts';
import { buildTestImage, publishInputs, quietEffects, tinyCorpus } from '../builders/working-database.ts';

const [root, killAt] = process.argv.slice(2) as [string, string];
const db = await openWorkingDatabase(join(root, 'data'));
let passed = 0;
const effects = quietEffects({
  checkpoint: () => {
    passed += 1;
    if (passed === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
});
await publish(publishInputs(root, tinyCorpus), db, buildTestImage, effects);
await db.close();
