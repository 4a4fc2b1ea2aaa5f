import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumFile } from '../../pipeline/publish/durable.ts';
import { buildServingImage } from '../../pipeline/publish/serving/build-serving-image.ts';
import type { DifferingRows, ParentSnapshot } from '../../pipeline/publish/serving/reused.ts';
import { Database } from '../../pipeline/store/database.ts';
import { SERVING_IMAGE_VERSION } from '../../snapshot/format/serving.ts';
import { columnList, hashedColumns } from '../../snapshot/sql/tables.ts';
import { organisation, registration, registryDate, site } from '../builders/registration.ts';
import { quietEffects } from '../builders/serving-image.ts';
import { type Corpus, type CorpusTrial, writeSnapshotTables } from '../builders/snapshot-tables.ts';
import { amountOf, deep } from '../support/runner/amount.ts';

/** Only a few words, so that from day to day some terms become common and others stop being common. */
const WORDS = [
  'tumour',
  'type',
  '1',
  'gastro-oesophageal',
  'gastrooesophageal',
  'child',
  "Crohn's",
  '𝒳',
  'Œdème',
  'zoster',
];
const COMMON_TERM_ROWS = 16;
const SPONSORS = ['Acme Tumours', 'acme  tumours', 'Royal Hospital', null];

/** What one registration says on one day. Its number in the corpus stays the same. */
interface Said {
  words: number[];
  sponsor: number;
  day: number;
  month: boolean;
  completed: boolean;
  unposted: boolean;
  other: number;
  /** How many publications it lists. */
  published: number;
}
const said: fc.Arbitrary<Said> = fc.record({
  words: fc.array(fc.nat(WORDS.length - 1), { minLength: 1, maxLength: 5 }),
  sponsor: fc.nat(SPONSORS.length - 1),
  day: fc.nat(70),
  month: fc.boolean(),
  completed: fc.boolean(),
  unposted: fc.boolean(),
  other: fc.nat(60),
  published: fc.nat(2),
});

/** A pair of registrations on one day: which of them are held, and whether they are one trial. */
interface Place {
  held: 'none' | 'ctgov' | 'isrctn' | 'both' | 'apart';
  ctgov: Said;
  isrctn: Said;
}
const place: fc.Arbitrary<Place> = fc.record({
  held: fc.constantFrom('none', 'ctgov', 'isrctn', 'both', 'apart'),
  ctgov: said,
  isrctn: said,
});
/** On the third day the image is built without being told what changed; on the others it is told. */
const DAYS = amountOf({ quick: [0, 1, 2], deep: [0, 1, 2, 3] });
/** The days of one corpus. Most pairs stay unchanged from one day to the next. */
const days = fc
  .array(fc.tuple(place, fc.array(fc.option(place, { nil: null, freq: 4 }), { minLength: 3, maxLength: 3 })), {
    minLength: 30,
    maxLength: 60,
    size: 'max',
  })
  .map((places) => DAYS.map((day) => places.map(([first, later]) => later.slice(0, day).findLast(Boolean) ?? first)));

const number = (at: number): string => String((at * 7919) % 99_991).padStart(8, '0');

function corpusOf(places: readonly Place[]): Corpus {
  const corpus: Required<Corpus> = {
    trials: [],
    identifiers: [],
    links: [],
    relations: [],
    payloads: {},
    publications: [],
  };
  for (const [at, { held, ctgov, isrctn }] of places.entries()) {
    const ids = [`NCT${number(at)}`, `ISRCTN${number(at)}`] as const;
    const [c, i] = [recordOf(ids[0], ctgov), recordOf(ids[1], isrctn)];
    if (held !== 'none' && held !== 'isrctn' && ctgov.unposted) {
      corpus.payloads[ids[0]] = { protocolSection: { statusModule: { dispFirstSubmitDate: '2026-01-02' } } };
    }
    const canonicalId = `wt_${number(at).padStart(12, 'a')}`;
    const alone = (record: typeof c, id: string): CorpusTrial => ({
      canonicalId: id,
      aliases: [],
      registrations: [record],
    });
    if (held === 'both') corpus.trials.push({ canonicalId, aliases: [`${canonicalId}b`], registrations: [c, i] });
    if (held === 'ctgov' || held === 'apart') corpus.trials.push(alone(c, canonicalId));
    if (held === 'isrctn' || held === 'apart') corpus.trials.push(alone(i, `${canonicalId}b`));
    if (held === 'both' || held === 'apart') {
      const linkId = `ln_${number(at)}`;
      const [direction, verdict] =
        held === 'both' ? (['mutual', 'accepted'] as const) : (['one-way', 'rejected'] as const);
      corpus.links.push({ linkId, from: c, to: i, direction, verdict, conflict: false });
      if (held === 'apart') corpus.relations.push({ from: c, to: i, reason: 'ambiguous', linkId });
    }
  }
  for (const [at, { ctgov, isrctn }] of places.entries()) {
    const held = (id: string) => corpus.trials.some(({ registrations }) => registrations.some((one) => one.id === id));
    for (const [id, { published }] of [
      [`NCT${number(at)}`, ctgov],
      [`ISRCTN${number(at)}`, isrctn],
    ] as const)
      if (held(id)) corpus.publications.push(...publicationsOf(id, published));
  }
  // Whether a declared number resolves depends on which other trials are held.
  const registrations = corpus.trials.flatMap((trial) => trial.registrations);
  const heldIds = new Set(registrations.map(({ id }) => id));
  for (const [at, { held, isrctn }] of places.entries()) {
    if (!['isrctn', 'both', 'apart'].includes(held)) continue;
    const value = `NCT${number(isrctn.other)}`;
    const stated = { field: 'secondaryIds', rawValue: value, suspect: false, registrationId: `ISRCTN${number(at)}` };
    const inIndex = heldIds.has(value);
    corpus.identifiers.push(
      {
        ...stated,
        registry: 'isrctn',
        type: 'nct',
        value,
        role: 'declared',
        inIndex,
        resolvesTo: inIndex ? value : null,
      },
      {
        ...stated,
        registry: 'isrctn',
        type: 'eudract',
        value: `2008-00${isrctn.day}-1`,
        role: 'declared',
        inIndex: false,
        resolvesTo: null,
      },
    );
  }
  return corpus;
}

/** In no order, as a table may hold them. */
function publicationsOf(id: string, count: number): Record<string, unknown>[] {
  const registry = id.startsWith('NCT') ? 'clinicaltrials_gov' : 'isrctn';
  return Array.from({ length: count }, (_, place) => ({
    ...{ registry, registration_id: id, ordinal: count - place, kind: 'results', kind_raw: null },
    ...{ pmid: `${place}`, doi: null, url: null, citation: `"Œdème" ${count}`, year: 2020 + place, retracted: false },
  }));
}

function recordOf(id: string, { words, sponsor, day, month, completed, unposted, other }: Said) {
  const text = words.map((word) => WORDS[word]).join(' ');
  const updated = new Date((20_000 + day) * 86_400_000).toISOString().slice(0, month ? 7 : 10);
  return registration(id, {
    title: text,
    conditions: words.slice(0, 2).map((word) => WORDS[word] as string),
    sponsorName: SPONSORS[sponsor] as string | null,
    status: completed ? 'completed' : 'running',
    studyType: 'interventional',
    sex: month ? 'female' : 'not-stated',
    healthyVolunteers: completed ? unposted : null,
    minimumAge: other % 3 === 0 ? null : other / 4,
    maximumAge: other % 5 === 0 ? null : other + 40,
    collaborators: words.slice(2).map((word) => organisation(WORDS[word] as string)),
    sites: words.map((word) => site(WORDS[word] as string, `City ${other % 7}`)),
    // As in real data, payloads with different content have different checksums.
    payloadSha256: createHash('sha256')
      .update(JSON.stringify([id, text, updated, completed, unposted, other]))
      .digest('hex'),
    dates: {
      start: null,
      primaryCompletion: completed ? registryDate(updated) : null,
      completion: null,
      firstPosted: null,
      lastUpdated: day % 11 === 0 ? null : registryDate(updated),
      resultsPosted: unposted ? registryDate(updated) : null,
    },
  });
}

const topics = [{ id: 'zoster', title: 'Zoster', anyOf: ['zoster', '"type 1"'], why: 'test', reviewed: '2026-11-21' }];
const options = { topics, commonTermRows: COMMON_TERM_ROWS, mostChanged: 1 };

let root: string;
let serial = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'inherited-image-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Writes the tables of the corpus and its whole image. */
async function publishWhole(corpus: Corpus): Promise<string> {
  const dir = join(root, String(serial++));
  await writeSnapshotTables(corpus, dir);
  await buildServingImage({ snapshotDir: dir, outDir: join(dir, 'serving'), ...options }, quietEffects);
  return dir;
}

function asParent(dir: string, imageVersion = SERVING_IMAGE_VERSION): ParentSnapshot {
  const inside = ['serving', 'raw'].flatMap((folder) =>
    readdirSync(join(dir, folder)).map((file) => `${folder}/${file}`),
  );
  const paths = [...inside, ...readdirSync(dir)];
  const files = paths
    .filter((path) => path.endsWith('.arrow') || path.endsWith('.parquet'))
    .map((path) => {
      const content = readFileSync(join(dir, path));
      return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
    });
  return { dir, imageVersion, files };
}

/** Builds the image of `dir` again, from the parent's image. Returns the labels that progress reported. */
async function inheritFrom(
  parent: ParentSnapshot,
  dir: string,
  given: Partial<typeof options> = {},
): Promise<string[]> {
  const labels = new Set<string>();
  const effects = { ...quietEffects, progress: ({ label }: { label: string }) => void labels.add(label) };
  const outDir = join(dir, 'inherited');
  rmSync(outDir, { recursive: true, force: true });
  const { sums } = await buildServingImage({ snapshotDir: dir, outDir, parent, ...options, ...given }, effects);
  expect(sums).toEqual([await sumFile(outDir, 'documents-000.arrow')]);
  return [...labels];
}

function expectSameBytes(dir: string): void {
  const whole = readdirSync(join(dir, 'serving')).sort();
  expect(readdirSync(join(dir, 'inherited')).sort()).toEqual(whole);
  for (const file of whole) {
    const [one, other] = ['serving', 'inherited'].map((side) => readFileSync(join(dir, side, file))) as [
      Buffer,
      Buffer,
    ];
    expect(one.equals(other), file).toBe(true);
  }
}

/** Trials and registrations whose hashed columns differ, found by comparing row by row. */
async function differingRows(before: string, after: string): Promise<DifferingRows> {
  await using db = await Database.open(':memory:');
  const keysOf = async (table: 'trials' | 'registrations', key: string): Promise<string[]> => {
    const columns = columnList(hashedColumns(table));
    const [a, b] = await Promise.all(
      [before, after].map(async (dir) => {
        const rows = await db.all(`SELECT ${columns} FROM read_parquet('${join(dir, `${table}.parquet`)}')`);
        return new Map(rows.map((row) => [String(row[key]), JSON.stringify(row)]));
      }),
    );
    return [...new Set([...a!.keys(), ...b!.keys()])].filter((id) => a!.get(id) !== b!.get(id));
  };
  return { trials: await keysOf('trials', 'canonical_id'), registrations: await keysOf('registrations', 'id') };
}

const ONE: Said = {
  words: [0, 1],
  sponsor: 0,
  day: 5,
  month: false,
  completed: true,
  unposted: true,
  other: 2,
  published: 1,
};
const TWELVE = Array.from(
  { length: 12 },
  (_, at): Place => ({ held: 'both', ctgov: { ...ONE, day: at }, isrctn: ONE }),
);

/** A parent with 12 trials, and a later day on which one of these has split into two. */
async function twoDays(): Promise<{ stated: ParentSnapshot; parent: string; dir: string }> {
  made ??= (async () => {
    const parent = await publishWhole(corpusOf(TWELVE));
    const dir = await publishWhole(corpusOf(TWELVE.with(3, { held: 'apart', ctgov: ONE, isrctn: ONE })));
    return { stated: asParent(parent), parent, dir };
  })();
  return made;
}
let made: ReturnType<typeof twoDays> | undefined;

const FROM_PARENT = ["serving image from the parent's"];

describe('a serving image made from its parent', () => {
  it('is byte for byte the image of a whole build: additions, removals, changes, merges, splits, months', async () => {
    await fc.assert(
      fc.asyncProperty(days, async (corpora) => {
        let parent: string | null = null;
        for (const [day, corpus] of corpora.entries()) {
          const dir = await publishWhole(corpusOf(corpus));
          if (parent === null) {
            parent = dir;
            continue;
          }
          const differing = day === 2 ? null : await differingRows(parent, dir);
          expect(await inheritFrom({ ...asParent(parent), differing }, dir)).toEqual(FROM_PARENT);
          expectSameBytes(dir);
          parent = dir;
        }
      }),
      { numRuns: 1, seed: 20_261_122, endOnFailure: true },
    );
  });

  deep.it('tells by itself what differs although no root holds it: when a record was retrieved', async () => {
    const { parent } = await twoDays();
    const corpus = corpusOf(TWELVE);
    const [first, ...others] = corpus.trials;
    const registrations = first!.registrations.map((said) => ({ ...said, retrievedAt: '2026-11-22T00:00:00.000Z' }));
    const dir = await publishWhole({ ...corpus, trials: [{ ...first!, registrations }, ...others] });
    const differing = await differingRows(parent, dir);
    expect(differing).toEqual({ trials: [], registrations: [] });
    expect(await inheritFrom({ ...asParent(parent), differing }, dir)).toEqual(FROM_PARENT);
    expectSameBytes(dir);
    expect(readFileSync(join(dir, 'inherited/documents-000.arrow')).includes('2026-11-22T00:00:00.000Z')).toBe(true);
  });

  it('tells by itself that a record lists other publications', async () => {
    const { parent } = await twoDays();
    const dir = await publishWhole(
      corpusOf(TWELVE.with(5, { held: 'both', ctgov: { ...ONE, day: 5 }, isrctn: { ...ONE, published: 2 } })),
    );
    const differing = await differingRows(parent, dir);
    expect(differing).toEqual({ trials: [], registrations: [] });
    expect(await inheritFrom({ ...asParent(parent), differing }, dir)).toEqual(FROM_PARENT);
    expectSameBytes(dir);
  });

  deep.it(
    'is made whole, with the reason, where the parent cannot be used: other version, maker or too many changes',
    async () => {
      const { stated, parent, dir } = await twoDays();
      expect(await inheritFrom(stated, dir)).toEqual(FROM_PARENT);

      const cases: [reason: string, parent: ParentSnapshot, given: Partial<typeof options>][] = [
        ["the parent's image has version 1", asParent(parent, 1), {}],
        ['made by other code, with other topics', stated, { topics: [{ ...topics[0]!, title: 'Shingles' }] }],
        ['with other common terms', stated, { commonTermRows: 5 }],
        ['of 13 trials are new or changed', stated, { mostChanged: 0.1 }],
      ];
      for (const [reason, from, given] of cases) expect((await inheritFrom(from, dir, given)).join()).toContain(reason);
    },
  );

  it('is made whole where a file of the parent is cut, missing or has a flipped bit', async () => {
    const { stated, parent, dir } = await twoDays();
    const damages: [path: string, damage: (file: string, whole: Buffer) => void][] = [
      ['serving/documents-000.arrow', (file, whole) => truncateSync(file, whole.length - 1)],
      ['serving/terms.arrow', (file, whole) => writeFileSync(file, flipped(whole, 20))],
      ['serving/pairs.arrow', (file) => rmSync(file)],
      ['trials.parquet', (file, whole) => writeFileSync(file, flipped(whole, whole.length >> 1))],
    ];
    for (const [path, damage] of amountOf({ quick: damages.slice(0, 2), deep: damages })) {
      const file = join(parent, path);
      const whole = readFileSync(file);
      damage(file, whole);
      expect((await inheritFrom(stated, dir)).at(-1), path).toContain(`serving image, whole: ${path} of the parent is`);
      expectSameBytes(dir);
      writeFileSync(file, whole);
    }
  });
});

function flipped(whole: Buffer, at: number): Buffer {
  const copy = Buffer.from(whole);
  copy[at] = (copy[at] as number) ^ 4;
  return copy;
}
