import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVING_DIR, TERMINOLOGY_FILE } from '../../../snapshot/format/serving.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import type { Effects } from '../../effects.ts';
import { type FileSum, sumFile, walk } from '../durable.ts';
import { programCode, rulesReadByName } from '../identity/program.ts';
import type { Problem } from '../problem.ts';
import { buildServingImage } from '../serving/build-serving-image.ts';

/** Whether the serving image of a snapshot is the one that its tables give. */
export type ImageCheck =
  | { state: 'equal' | 'differs' }
  /** It differs, and another program made it, so that this one cannot tell a forgery from a change of the code. */
  | { state: 'other-program'; made: string };

/**
 * Builds the serving image of the snapshot in `dir` from its tables alone, in the system's temporary directory, and compares it with
 * the one that is there; each file that differs becomes a problem. The terminology is the image's own, whose SHA-256 the
 * identity binds. Takes the room of the image and the time of building it whole.
 */
export async function checkImage(
  dir: string,
  manifest: Manifest,
  problems: Problem[],
  effects: Effects,
): Promise<ImageCheck> {
  const scratch = await mkdtemp(join(tmpdir(), 'image-check-'));
  try {
    const terminology = await readFile(join(dir, SERVING_DIR, TERMINOLOGY_FILE));
    await buildServingImage(
      { snapshotDir: dir, outDir: join(scratch, SERVING_DIR), terminology },
      ofVerification(effects),
    );
    const found = await differences(scratch, manifest.serving.files);
    if (found.length === 0) return { state: 'equal' };
    const made = await otherProgram(manifest.bound);
    if (made !== null) return { state: 'other-program', made };
    problems.push(...found);
    return { state: 'differs' };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const OTHER_BYTES = 'is not what the tables give: it was changed after it was made, or made from other tables';

async function differences(built: string, stated: readonly FileSum[]): Promise<Problem[]> {
  const made = (await walk(join(built, SERVING_DIR))).files.map((path) => `${SERVING_DIR}/${path}`);
  const found: Problem[] = [];
  for (const { path, sha256 } of stated) {
    if (!made.includes(path)) found.push({ file: path, message: 'is no file of the image that the tables give' });
    else if ((await sumFile(built, path)).sha256 !== sha256) found.push({ file: path, message: OTHER_BYTES });
  }
  for (const path of made) {
    if (!stated.some((file) => file.path === path))
      found.push({ file: path, message: 'is missing from the image: the tables give it' });
  }
  return found;
}

/** What made a snapshot, in words, where it is another program than this one; else null. */
async function otherProgram(bound: Manifest['bound']): Promise<string | null> {
  const own = await programCode(null);
  const rules = (await rulesReadByName()).filter(({ name }) => name === 'topics');
  const theirs = bound.code;
  const sameRules = rules.every(({ name, sha256 }) =>
    bound.rules.some((rule) => rule.name === name && rule.sha256 === sha256),
  );
  const names = ['version', 'commit', 'node', 'duckdb'] as const;
  if (names.every((name) => theirs[name] === own[name]) && sameRules) return null;
  const commit = theirs.commit === null ? '' : `commit ${theirs.commit}, `;
  return `${commit}content version ${theirs.version}, Node ${theirs.node}, DuckDB ${theirs.duckdb}`;
}

/** Nothing is published here, and the progress must not say so. */
function ofVerification(effects: Effects): Effects {
  return {
    ...effects,
    progress: (event) => effects.progress({ ...event, stage: 'verify', label: 'serving image, built again' }),
  };
}
