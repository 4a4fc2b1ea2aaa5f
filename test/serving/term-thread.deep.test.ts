import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServingImage, type ServingImageInputs } from '../../pipeline/publish/serving/build-serving-image.ts';
import { registration, registryDate } from '../builders/registration.ts';
import { quietEffects } from '../builders/serving-image.ts';
import { type CorpusTrial, writeSnapshotTables } from '../builders/snapshot-tables.ts';

const WORDS = ['tumour', 'type', '1', 'gastro-oesophageal', "Crohn's", '𝒳', 'zoster', 'child', 'children'];

/** Trials with one registration or two. */
function trials(): CorpusTrial[] {
  return Array.from({ length: 24 }, (_, at) => {
    const words = (from: number): string => [0, 1, 2].map((n) => WORDS[(at + from + n) % WORDS.length]).join(' ');
    const number = String(at).padStart(8, '0');
    const records = [`NCT${number}`, `ISRCTN${number}`].map((id, side) =>
      registration(id, {
        title: words(side),
        conditions: [words(1), words(1).toUpperCase()],
        countries: ['France', 'france'],
        interventions: [{ type: null, name: words(2), otherNames: ['Zoster'], description: words(side) }],
        sponsorName: words(3),
        status: side === 0 && at % 2 === 0 ? 'running' : 'completed',
        phase: at % 3 === 0 ? '1-2' : 'not-stated',
        dates: { lastUpdated: registryDate(`2026-0${1 + (at % 4)}-10`) },
      }),
    );
    const registrations = at % 3 === 0 ? records : records.slice(at % 2, (at % 2) + 1);
    return { canonicalId: `wt_${number}`, aliases: [], registrations };
  });
}
let root: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'term-thread-'));
  await writeSnapshotTables({ trials: trials(), identifiers: [], links: [], relations: [] }, join(root, 'tables'));
  await build({ snapshotDir: join(root, 'tables'), outDir: join(root, 'in-line') });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function build(inputs: ServingImageInputs, progress: () => void = () => undefined): Promise<void> {
  await buildServingImage({ commonTermRows: 4, ...inputs }, { ...quietEffects, progress });
}

function onThread(onProgress?: () => void): Promise<void> {
  const [snapshotDir, outDir] = [join(root, 'tables'), join(root, 'made')];
  return build({ snapshotDir, outDir, workerFromTrials: 0 }, onProgress);
}

function expectSameBytes(): void {
  const [one, other] = [join(root, 'in-line'), join(root, 'made')];
  expect(readdirSync(other).sort()).toEqual(readdirSync(one).sort());
  for (const file of readdirSync(one)) {
    expect(readFileSync(join(other, file)).equals(readFileSync(join(one, file))), file).toBe(true);
  }
}

describe('an image whose terms are made on a thread of their own', () => {
  it('has the bytes of one made on a single thread', async () => {
    await onThread();
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
