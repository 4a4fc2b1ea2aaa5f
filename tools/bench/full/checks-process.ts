import { REGISTRY_IDS } from '../../../contract/ids.ts';
import { loadCheckRules } from '../../../pipeline/publish/checks/check-rules.ts';
import { checkContent } from '../../../pipeline/publish/checks/content-checks.ts';
import { withScratchDatabase } from '../../../pipeline/store/scratch-database.ts';
import { AS_OF } from './corpus.ts';

/** Compares the content of the snapshot directories of its two arguments, as a publish does. */

const [before, after] = process.argv.slice(2).map((dir) => ({ dir, asOf: AS_OF })) as [Side, Side];
type Side = { dir: string; asOf: string };
const rules = await loadCheckRules();
const findings = await withScratchDatabase((db) =>
  checkContent(db, { before, after, registries: REGISTRY_IDS }, rules),
);
process.stdout.write(`${findings.length} findings\n`);
