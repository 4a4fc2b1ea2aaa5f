import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registration, registryDate } from '../builders/registration.ts';
import { publishSignals, type SignalSnapshot } from '../builders/signal-snapshot.ts';
import { headlineNumber } from '../support/checks/number-links.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { gatewayPage } from '../support/read-page.ts';

/** One registry whose data are older than the snapshot, and one that holds hardly any text. */

const DATES = { primaryCompletion: null, firstPosted: null, lastUpdated: null, resultsPosted: null };
const trial = (place: number, id: string, given: Parameters<typeof registration>[1]) => ({
  canonicalId: `wt_${String(place).padStart(12, '0')}`,
  aliases: [],
  registrations: [registration(id, given)],
});
const RECRUITING = { status: 'running', recruitmentStatus: 'recruiting' } as const;
const CTGOV = Array.from({ length: 12 }, (_, place) =>
  trial(place + 1, `NCT000000${place + 10}`, {
    ...RECRUITING,
    title: 'Heart failure',
    dates: { ...DATES, start: registryDate('2025-01-01'), completion: null },
  }),
);
const ISRCTN = Array.from({ length: 25 }, (_, place) =>
  trial(place + 100, `ISRCTN${10_000_000 + place}`, {
    title: place === 0 ? 'Heart failure' : null,
    status: 'completed',
    recruitmentStatus: 'completed',
    dates: { ...DATES, start: null, completion: registryDate('2020-01-01') },
  }),
);

let held: SignalSnapshot;
let gateway: TestGateway;
beforeAll(async () => {
  const dataTimestamps = { clinicaltrials_gov: '2026-04-29T00:00:00.000Z' };
  held = await publishSignals({ trials: [...CTGOV, ...ISRCTN], dataTimestamps });
  gateway = await openGateway(held.snapshotsDir);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  held[Symbol.dispose]();
});
const page = (path: string) => gatewayPage(gateway, path);

describe('where words cannot find the records of a registry', () => {
  const NOTE = 'Words cannot find most of ISRCTN registry: of its 25 registrations, 1 have a title';

  it.each([
    ['heart failure', 13],
    ['heart failure uk', 0],
  ])('a search for %s says so beside its number, %i', async (q, trials) => {
    const { text, seen } = await page(`/trials?q=${encodeURIComponent(q)}`);
    expect(headlineNumber(text)).toBe(trials);
    expect(seen).toContain(NOTE);
  });

  it('a search without words does not', async () => {
    expect((await page('/trials?status=completed')).seen).not.toContain('Words cannot find');
  });
});

describe('the page of a trial', () => {
  it('says on which day its registry told the status, and draws that day beside that of the snapshot', async () => {
    const { text, seen } = await page('/trials/NCT00000010');
    expect(seen).toContain('It is recruiting as of 29 April 2026.');
    expect(seen).toContain('Status Recruiting as of 29 April 2026');
    expect(text).toContain('>data of 29 Apr 2026, counted to 1 Oct 2026</text>');
  });

  it('of ISRCTN alone calls no results missing, and gives a status that stays no day', async () => {
    const { seen } = await page('/trials/ISRCTN10000000');
    expect(seen).toContain('It is completed. The registry holds no summary of results.');
    expect(seen).toContain('Results No summary of results is held by ISRCTN');
    expect(seen).not.toMatch(/No results are posted|Not posted/);
    expect((await page('/trials?registry=isrctn')).seen).not.toContain('No results posted');
  });
});
