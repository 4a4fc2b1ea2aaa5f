import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServingImage, type ServingImageInputs } from '../../pipeline/publish/serving/build-serving-image.ts';
import type { ParentSnapshot } from '../../pipeline/publish/serving/reused.ts';
import { SERVING_IMAGE_VERSION } from '../../snapshot/format/serving.ts';
import { registration, registryDate } from '../builders/registration.ts';
import { quietEffects } from '../builders/serving-image.ts';
import { type CorpusTrial, writeSnapshotTables } from '../builders/snapshot-tables.ts';
import { deep } from '../support/runner/amount.ts';

const WORDS = ['tumour', 'type', '1', 'gastro-oesophageal', "Crohn's", '𝒳', 'zoster', 'child', 'children'];

/** Trials with one registration or two. Some of them change with the day. */
function trialsOn(day: number): CorpusTrial[] {
  return Array.from({ length: 24 }, (_, at) => {
    const changed = at % 7 === 3 ? day : 0;
    const words = (from: number): string => [0, 1, 2].map((n) => WORDS[(at + from + n) % WORDS.length]).join(' ');
    const number = String(at).padStart(8, '0');
    const records = [`NCT${number}`, `ISRCTN${number}`].map((id, side) =>
      registration(id, {
        title: words(changed + side),
        conditions: [words(1), words(1).toUpperCase()],
        countries: ['France', 'france'],
        interventions: [{ type: null, name: words(2), otherNames: ['Zoster'], description: words(side) }],
        sponsorName: words(3),
        status: side === 0 && at % 2 === 0 ? 'running' : 'completed',
        phase: at % 3 === 0 ? '1-2' : 'not-stated',
        payloadSha256: createHash('sha256').update(`${id} ${changed}`).digest('hex'),
        dates: { ...NO_DATES, lastUpdated: registryDate(`2026-0${1 + (at % 4)}-1${changed}`) },
      }),
    );
    const registrations = at % 3 === 0 ? records : records.slice(at % 2, (at % 2) + 1);
    return { canonicalId: `wt_${number}`, aliases: [], registrations };
  });
}
const NO_DATES = {
  ...{ start: null, primaryCompletion: null, completion: null },
  ...{ firstPosted: null, lastUpdated: null, resultsPosted: null },
};

let root: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'term-thread-'));
  for (const day of [0, 1]) {
    const corpus = { trials: trialsOn(day), identifiers: [], links: [], relations: [] };
    await writeSnapshotTables(corpus, join(root, `day${day}`));
    await build({ snapshotDir: join(root, `day${day}`), outDir: join(root, `day${day}`, 'serving') });
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Builds an image. Returns the labels that progress reported. */
async function build(inputs: ServingImageInputs, onProgress: () => void = () => undefined): Promise<string> {
  const labels = new Set<string>();
  const progress = ({ label }: { label: string }): void => {
    labels.add(label);
    onProgress();
  };
  await buildServingImage({ commonTermRows: 4, mostChanged: 1, ...inputs }, { ...quietEffects, progress });
  return [...labels].join('; ');
}

function onThread(onProgress?: () => void, parent: ParentSnapshot | null = null): Promise<string> {
  const [snapshotDir, outDir] = [join(root, 'day1'), join(root, 'made')];
  return build({ snapshotDir, outDir, parent, workerFromTrials: 0 }, onProgress);
}

function yesterday(): ParentSnapshot {
  const dir = join(root, 'day0');
  const paths = [...readdirSync(join(dir, 'serving')).map((file) => `serving/${file}`), ...readdirSync(dir)];
  const files = paths
    .filter((path) => /\.(arrow|parquet)$/.test(path))
    .map((path) => {
      const content = readFileSync(join(dir, path));
      return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
    });
  return { dir, imageVersion: SERVING_IMAGE_VERSION, files };
}

function expectSameBytes(): void {
  const [one, other] = [join(root, 'day1', 'serving'), join(root, 'made')];
  expect(readdirSync(other).sort()).toEqual(readdirSync(one).sort());
  for (const file of readdirSync(one)) {
    expect(readFileSync(join(other, file)).equals(readFileSync(join(one, file))), file).toBe(true);
  }
}

describe('an image whose terms are made on a thread of their own', () => {
  it('has the bytes of one made on a single thread from its parent', async () => {
    expect(await onThread(undefined, yesterday())).toBe("serving image from the parent's");
    expectSameBytes();
  });

  deep.it('has them too where it is made whole, because the thread finds a file of the parent damaged', async () => {
    const parent = yesterday();
    const pairs = join(root, 'day0', 'serving', 'pairs.arrow');
    const whole = readFileSync(pairs);
    truncateSync(pairs, whole.length - 1);
    expect(await onThread(undefined, parent)).toContain('serving image, whole: serving/pairs.arrow of the parent is');
    writeFileSync(pairs, whole);
    expectSameBytes();
  });

  it('fails with the message of the thread', async () => {
    const inTheWay = (): void => writeFileSync(join(root, 'made', 'terms.arrow'), '');
    await expect(onThread(inTheWay)).rejects.toThrow(/EEXIST.*terms\.arrow/);
  });

  it('leaves nothing under way and no scratch where the work beside the thread fails', async () => {
    const fail = (): void => {
      throw new Error('the disk is full');
    };
    await expect(onThread(fail)).rejects.toThrow('the disk is full');
    expect(existsSync(join(root, 'made.scratch'))).toBe(false);
    const left = readdirSync(join(root, 'made'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(readdirSync(join(root, 'made'))).toEqual(left);
  });
});
