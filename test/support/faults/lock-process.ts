/**
 * Holds the pipeline's locks until it is killed. lock.test.ts starts it as
 * `node lock-process.ts <data directory> <snapshots directory>`; it writes a line once it has them.
 */
import { withPipelineLock } from '../../../pipeline/lock.ts';
import { quietEffects } from '../../builders/working-database.ts';

const [dataDir, snapshotsDir] = process.argv.slice(2) as [string, string];
await withPipelineLock(
  { dataDir, snapshotsDir },
  () => {
    process.stdout.write('held\n');
    return new Promise<void>((done) => setTimeout(done, 2 ** 31 - 1));
  },
  quietEffects(),
);
