import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { RUN_LOG_FILE } from '../../snapshot/format/versions/run-log.ts';
import { PAGE_CASES } from '../browser/cases.ts';
import { openWorld, type World } from '../browser/world.ts';
import { publishSignals } from '../builders/signal-snapshot.ts';
import { mainOf } from '../support/checks/main-of.ts';
import { openGateway } from '../support/gateway.ts';
import { openOrigin } from '../support/origin.ts';
import { pageText } from '../support/page-text.ts';

/**
 * The readable text of every page and state, a file each in test/pages/golden. `npm test -- test/pages/golden -u` writes them
 * anew; their difference is read in review.
 */

const GOLDEN = join(import.meta.dirname, 'golden');
/**
 * Pages that say what the contract, the glossary or declared texts say, which other tests compare them with; the status counts
 * what failed while the world was made, and is read of an empty board.
 */
const ELSEWHERE = [
  ...['glossary', 'docs', 'error-codes', 'error-code', 'about', 'patient-model', 'trial-raw', 'trials-table'],
  'status',
];
const CASES = PAGE_CASES.filter(({ name, reference }) => !reference && !ELSEWHERE.includes(name));

/** Pages of a board that nobody has written to. */
const EMPTY: readonly (readonly [name: string, path: string])[] = [
  ['home', '/'],
  ['board', '/board'],
  ['findings', '/findings'],
  ['council', '/council'],
  ['status', '/status'],
];
/** Pages that say that the board does not answer. */
const AWAY: readonly (readonly [name: string, path: string])[] = [
  ...EMPTY,
  ['cure-lab', '/cure-lab'],
  ['scoreboard', '/scoreboard'],
  ['results-gap', '/results-gap'],
];

/** Further states of the search and of a trial. */
const STATES: readonly (readonly [name: string, path: string])[] = [
  ['trials-second-page', '/trials?status=completed&sort=enrollment&page=2'],
  ['trials-two-faults', '/trials?q=diabetes&startedAfter=yesterday&phase=5&colour=red'],
  ['trials-unknown-number', '/trials?q=NCT4280705'],
  ['trials-city', '/trials?q=trials+in+london+uk'],
  ['trials-country-word', '/trials?q=diabetes+Germany'],
  ['trials-exact-phase', '/trials?phase=3&phaseMatch=exact&country=Germany'],
  ['trials-beyond-the-last', '/trials?status=completed&page=900'],
  ['trials-three-filters', '/trials?q=diabetes&status=completed,terminated&country=Germany'],
  ['trials-overdue', '/trials?sponsorClass=industry&gapMonths=12&resultsGap=true&sort=daysOverdue&country=Germany'],
  ['trials-misspelt', '/trials?q=diabetis+type&condition=Asthma'],
  ['trial-isrctn-alone', '/trials/ISRCTN92700742'],
  ['trial-one-registry-comparison', '/trials/ISRCTN92700742/compare'],
  ['trial-placeholder-number', '/trials/NCT12345678'],
  ['trial-mention', '/trials/2026-589004-10'],
  ['sponsor-exact', '/sponsors/Harrowgate%20University'],
  ['condition-topic', '/conditions/heart-failure'],
  ['results-gap-by-sponsor', '/results-gap?phase=2&gapMonths=12&by=sponsorClass'],
  ['results-gap-refused', '/results-gap?topic=nope'],
  ['dead-ends-refused', '/dead-ends?state=asleep'],
  ['findings-of-an-agent', '/findings?agentName=ada&q=sponsors'],
  ['council-of-a-kind', '/council?state=ratified&kind=norm&x=1'],
  ['council-refused', '/council?state=asleep'],
  ['signals-of-a-week', '/signals?days=7&disease=diabetes'],
  ['snapshot-diff-form', '/snapshots/diff'],
];

/** Minutes at which the snapshots were made, as pages write them: they differ from one making of the sample to the next. */
async function minutesOf(snapshotsDir: string): Promise<string[]> {
  const versions = (await readdir(snapshotsDir)).filter((name) => /^\d{8}T/.test(name)).sort();
  const firstDay = versions[0]!.replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3');
  const files = [RUN_LOG_FILE, ...versions.map((version) => join(version, 'run.json'))];
  const texts = await Promise.all(files.map((file) => readFile(join(snapshotsDir, file), 'utf8')));
  const stated = texts.flatMap((text) => [...text.matchAll(/"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/g)]);
  return [...new Set(stated.flatMap(([, day, minute]) => (day! >= firstDay ? `${day} ${minute}` : [])))];
}

let made: string[];
beforeAll(async () => {
  made = await minutesOf(inject('sampleSnapshots'));
});

function normalised(text: string, world?: World): string {
  const named = world === undefined ? text : text.replaceAll(world.versions.newer, 'VERSION-2');
  return (
    made
      .reduce((masked, minute) => masked.replaceAll(minute, 'TIME'), named)
      .replaceAll(/(TIME UTC, run), [\d.]+ s/g, '$1')
      .replaceAll(/(last checked whole\n= )[^\n]*/g, '$1TIME')
      .replaceAll(/\b\d+ \w+ \d{4}, \d\d:\d\d UTC \([0-9a-f]{8}\)/g, 'TIME (HASH)')
      .replaceAll(/\b\d{8}T\d{6}Z-(?!0000)[0-9a-f]{6}\b/g, 'RUN')
      .replaceAll(/\b[\d.,]+ (?:bytes|kB|MB|GB)\b/g, 'SIZE')
      .replaceAll(/http:\/\/(?:127\.0\.0\.1:\d+|test\.example)/g, 'http://board.example')
      .replaceAll(/\b\d{8}T\d{6}Z-[0-9a-f]{8}\b/g, 'VERSION-1')
      .replaceAll(/\b(?:sha256:)?[0-9a-f]{40,64}\b|(?<![\w+/])[\w+/]{43}=/g, 'HASH')
      .replaceAll(/\b[0-9a-f]{12}…/g, 'HASH…')
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID')
      // How many ids were given before differs with what a board does meanwhile.
      .replaceAll(/\b([a-z]{2,4})_1k[0-9a-z]{14,}\b/g, '$1_ID')
      .replaceAll(/\br1\.(\w+)\.[\w.-]+/g, 'r1.$1.RECEIPT')
  );
}

/** The filters of a list are read where the page is a case of its own, not in each of its states. */
async function textAt(
  address: string,
  { world, state = false }: { world?: World; state?: boolean } = {},
): Promise<string> {
  const answer = await fetch(address, { headers: { accept: 'text/html' } });
  const main = mainOf(await answer.text());
  const shown = state
    ? main.replaceAll(/<aside\b[\s\S]*?<\/aside>|<details class="more">[\s\S]*?<\/details>/g, '')
    : main;
  return `${answer.status}\n${normalised(pageText(shown), world)}\n`;
}

/** Folders of texts by the beginning of their names; all others are pages of the board. */
const FOLDERS: readonly [folder: string, names: RegExp][] = [
  ['failures', /^(?:away|empty|no-snapshot|one-registry)-|^not-found$/],
  ['trials', /^(?:trial|sponsor|condition|countr)/],
  ['snapshots', /^(?:snapshot|runs?$|verify|receipt|signals)/],
  [
    'research',
    /^(?:beta-cell|calibration|contradictions|cure-lab|dead-end|evidence|hypothes|ladder|lab-|method|models|patient|prediction|reality|rung)/,
  ],
];

function fileOf(name: string): string {
  const [folder = 'board'] = FOLDERS.find(([, names]) => names.test(name)) ?? [];
  return join(folder, `${name}.txt`);
}

const expectGolden = (text: string, name: string) => expect(text).toMatchFileSnapshot(join(GOLDEN, fileOf(name)));

describe('the text of a page', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    made.push(...(await minutesOf(world.versions.snapshotsDir)));
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it.for(CASES.map((one) => [one.name, one] as const))('%s', async ([name, { path, isState = false }]) => {
    await expectGolden(await textAt(world.origin.url + path(world), { world, state: isState }), name);
  });

  it.for(STATES)('%s', async ([name, path]) => {
    await expectGolden(await textAt(world.origin.url + path, { world, state: true }), name);
  });

  it('has around it the navigation and the footer', async () => {
    const markup = await (await fetch(`${world.origin.url}/signals`, { headers: { accept: 'text/html' } })).text();
    const around = markup.replace(mainOf(markup), '').slice(markup.indexOf('<body'));
    await expectGolden(`${normalised(pageText(around), world)}\n`, 'frame');
  });
});

it('a board that is empty, and one that does not answer, are told apart', async () => {
  await using origin = await openOrigin();
  for (const [name, path] of EMPTY) await expectGolden(await textAt(origin.url + path), `empty-${name}`);
  await origin.boardServer.close();
  for (const [name, path] of AWAY) await expectGolden(await textAt(origin.url + path), `away-${name}`);
});

it('without a snapshot, or without an answer of a registry or of the feeds, nothing is called zero', async () => {
  const nothing = await mkdtemp(join(tmpdir(), 'trial-board-empty-'));
  using half = await publishSignals({ unanswered: ['isrctn'] });
  for (const [name, snapshotsDir, path] of [
    ['no-snapshot-home', nothing, '/'],
    ['no-snapshot-trials', nothing, '/trials'],
    ['no-snapshot-beta-cell', nothing, '/beta-cell'],
    ['one-registry-home', half.snapshotsDir, '/'],
  ] as const) {
    await using gateway = await openGateway(snapshotsDir);
    const answer = await gateway.app.fetch(
      new Request(`http://test.example${path}`, { headers: { accept: 'text/html' } }),
    );
    await expectGolden(`${answer.status}\n${normalised(pageText(mainOf(await answer.text())))}\n`, name);
  }
  await rm(nothing, { recursive: true });
});

it('has no file left of a state that is not read', async () => {
  const names = [
    ...CASES.map(({ name }) => name),
    ...STATES.map(([name]) => name),
    ...EMPTY.map(([name]) => `empty-${name}`),
    ...AWAY.map(([name]) => `away-${name}`),
    ...['frame', 'no-snapshot-home', 'no-snapshot-trials', 'no-snapshot-beta-cell', 'one-registry-home'],
  ];
  const files = (await readdir(GOLDEN, { recursive: true })).filter((path) => path.endsWith('.txt'));
  expect(files.sort()).toEqual(names.map(fileOf).sort());
});
