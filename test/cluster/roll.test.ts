import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { Cluster } from '../../tools/cluster/cluster.ts';
import { missingPackages } from '../../tools/cluster/programs.ts';
import { Storm } from '../../tools/cluster/storm.ts';
import { ROOT } from '../support/tree.ts';

const missing = missingPackages();
if (missing.length > 0) console.warn(`skipped: the cluster needs ${missing.join(', ')}`);

const WRITERS = 4;
const READERS = 4;
const BETWEEN = 60;

let cluster: Cluster;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trial-board-roll-'));
  // The notice is that of deploy/compose. Nobody dies here, and who is late on a busy machine is not to be replaced.
  const settings = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', DRAIN_NOTICE: '5' };
  if (missing.length === 0) cluster = await Cluster.start({ settings, lease: 600 });
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true });
});

/** The next version of the board: one more migration, which adds what the version before it does not know. */
function nextVersion(): string {
  const list = join(ROOT, 'board-server/store/migrations.ts');
  const next = "{ schema: 27, statements: ['ALTER TABLE claims ADD COLUMN next_note TEXT'], needed: false }";
  const expanded = `${readFileSync(list, 'utf8')}\nMIGRATIONS.push(${next});\n`;
  const texts = join(folder, 'texts.json');
  writeFileSync(texts, JSON.stringify({ [pathToFileURL(list).href]: expanded }));
  return `--import ${pathToFileURL(join(ROOT, 'test/support/snapshots/edited-modules.ts')).href}?texts=${texts}`;
}

/** Reads without end through the one address; what was not answered with 200 is told. */
class Reading {
  readonly failures: string[] = [];
  count = 0;
  #over = false;
  readonly #readers: Promise<void>[];

  constructor(url: string) {
    this.#readers = Array.from({ length: READERS }, (_, reader) => this.#read(url, reader));
  }

  async end(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#readers);
  }

  async #read(url: string, reader: number): Promise<void> {
    const paths = ['/api/v1/trials/search?q=diabetes', '/api/v1/claims?limit=5', '/api/v1/changes?limit=5', '/board'];
    for (let place = reader; !this.#over; place += 1) {
      const path = paths[place % paths.length]!;
      const status = await fetch(url + path).then(
        async (response) => {
          await response.text();
          return response.status;
        },
        (error: unknown) => String(error),
      );
      this.count += 1;
      if (status !== 200) this.failures.push(`${path}: ${status}`);
      await pause(1);
    }
  }
}

it.skipIf(missing.length > 0)(
  'rolls to the next version with its schema while the one before it serves: no request fails',
  async () => {
    onTestFailed(() => console.error(cluster.logOf([...cluster.boards, ...cluster.gateways])));
    const reading = new Reading(cluster.url);
    const storm = new Storm('4d03', [cluster.url], WRITERS);
    await storm.more(BETWEEN);
    const next = nextVersion();
    await cluster.replaceBoard(0, { NODE_OPTIONS: next });
    // Both versions serve at once, over the schema of the newer one.
    await storm.more(BETWEEN);
    await cluster.replaceBoard(1, { NODE_OPTIONS: next });
    await storm.more(BETWEEN);
    for (const at of cluster.gateways.keys()) {
      await cluster.replaceGateway(at);
      await storm.more(BETWEEN);
    }
    const { acknowledged, failures } = await storm.end();
    await reading.end();
    expect(reading.failures).toEqual([]);
    expect([...failures]).toEqual([]);
    expect(acknowledged.size).toBeGreaterThanOrEqual(4 * BETWEEN);
    expect(reading.count).toBeGreaterThan(0);
  },
);
