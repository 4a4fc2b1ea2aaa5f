import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../contract/canonical-json.ts';
import { readCurrent } from '../../snapshot/format/versions/current.ts';
import { signerKey } from '../../snapshot/proof/note.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { type FakeSnapshotService, sendFile, startSnapshotService } from '../../test/fakes/snapshot-service.ts';
import { CRASH_KEY } from '../../test/support/faults/crash-key.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { updateState } from '../publish/commit.ts';
import { walk } from '../publish/durable.ts';
import { gc } from '../publish/retention/gc.ts';
import { DEFAULT_RETENTION } from '../publish/retention/retention.ts';
import { verify } from '../publish/verify/verify.ts';
import { type Pulled, type PullOptions, pull } from './pull.ts';

let publisher: TestPublisher;
let source: string;
let version: string;
/** Bytes of everything that the manifest lists, and of its image. */
let bytes: { all: number; image: number };

beforeAll(async () => {
  publisher = await TestPublisher.of();
  source = publisher.snapshots;
  ({ version } = await publisher.publish({ signers: [CRASH_KEY] }));
  const { files } = await walk(join(source, version));
  const own = ['manifest.json', 'files.json', 'run.json'];
  const sizes = new Map<string, number>();
  for (const path of files) sizes.set(path, (await stat(join(source, version, path))).size);
  const sum = (wanted: (path: string) => boolean) =>
    [...sizes].reduce((all, [path, size]) => (wanted(path) ? all + size : all), 0);
  bytes = { all: sum((path) => !own.includes(path)), image: sum((path) => path.startsWith('serving/')) };
  return () => publisher[Symbol.asyncDispose]();
});

let service: FakeSnapshotService;
let into: string;
let told: string[];
beforeEach(async () => {
  service = await startSnapshotService(source, version);
  into = join(publisher.path, 'into');
  told = [];
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await rm(into, { recursive: true, force: true });
});

const address = (path: string) => `/snapshots/${version}/files/${path}`;
const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');
const content = (path: string) => service.files.get(address(path))!;

function pulling(changes: Partial<PullOptions> = {}, freeBytes?: () => Promise<number>): Promise<Pulled> {
  const usual = { url: service.url, version: 'current', into, tablesOnly: false, trusted: null, waitAfter: () => 1 };
  const notice = (text: string) => void told.push(text);
  return pull({ ...usual, ...changes }, quietEffects({ notice, ...(freeBytes && { freeBytes }) }));
}

/** The same bytes but for one. */
function flipped(file: Buffer): Buffer {
  const other = Buffer.from(file);
  other[200]! ^= 1;
  return other;
}

/** What a pull that fails says, after it has left nothing in place. */
async function refusal(changes: Partial<PullOptions> = {}): Promise<string> {
  const error = await pulling(changes).then(
    () => new Error('it was pulled'),
    (fault: Error) => fault,
  );
  const names = await readdir(into).catch(() => []);
  expect(names.filter((name) => !name.startsWith('.'))).toEqual([]);
  return error.message.replaceAll(service.url, '');
}

/** Changes the list of files as a forger would, who gives the manifest its sum. */
function forge(change: (text: string) => string): void {
  const files = change(content('files.json').toString());
  const manifest = { ...JSON.parse(content('manifest.json').toString()), files: sha256(files) };
  service.files.set(address('files.json'), Buffer.from(files));
  service.files.set(address('manifest.json'), Buffer.from(canonicalJson(manifest)));
}

describe('a pull', () => {
  it('brings a version and its log as they are, so that it verifies and is served', async () => {
    const pulled = await pulling({ trusted: [CRASH_KEY.verifier] });
    expect(pulled).toMatchObject({ version, bytes: bytes.all, fetchedBytes: bytes.all, notServed: null });
    expect(pulled.verification).toMatchObject({
      problems: [],
      log: { index: 0, size: 1, signedBy: [expect.any(String)] },
    });
    for (const path of [
      ...(await walk(join(source, version))).files.map((file) => `${version}/${file}`),
      'CURRENT',
      ...logFiles,
    ])
      expect((await readFile(join(into, path))).equals(await readFile(join(source, path))), path).toBe(true);
    expect((await readdir(into)).sort()).toEqual([version, 'CURRENT', 'log']);
    expect((await verify(into, version, quietEffects(), { trusted: [CRASH_KEY.verifier] })).problems).toEqual([]);
  });

  deep.it(
    'of a version that is here whole fetches nothing, and of one with a damaged file that file alone',
    async () => {
      await pulling();
      expect(await pulling()).toMatchObject({ fetchedBytes: 0, notServed: null });
      const path = join(into, version, 'trials.parquet');
      const damaged = flipped(await readFile(path));
      await writeFile(path, damaged);
      expect((await pulling()).fetchedBytes).toBe(damaged.length);
      expect((await verify(into, version, quietEffects())).problems).toEqual([]);
    },
  );

  deep.it('links what lies in another version, or in a pull that never ended, and removes that one', async () => {
    await pulling();
    const other = '20200101T000000Z-00000000';
    await rename(join(into, version), join(into, other));
    expect((await pulling()).fetchedBytes).toBe(0);
    const { ino } = await stat(join(into, other, 'trials.parquet'));
    expect((await stat(join(into, version, 'trials.parquet'))).ino).toBe(ino);
    await rm(join(into, version), { recursive: true });
    await mkdir(join(into, `.pull-${other}`));
    await rename(join(into, other), join(into, `.pull-${other}`, other));
    expect((await pulling()).fetchedBytes).toBe(0);
    expect((await readdir(into)).sort()).toEqual([version, 'CURRENT', 'log']);
  });

  deep.it(
    'without the image passes where tables alone are asked for, is not served, and is made whole later',
    async () => {
      const tables = await pulling({ tablesOnly: true });
      expect([tables.fetchedBytes, tables.notServed]).toEqual([
        bytes.all - bytes.image,
        'it was pulled without the image that a server maps',
      ]);
      expect(await readCurrent(into)).toBeNull();
      const found = await verify(into, version, quietEffects(), { image: 'left-out' });
      expect([found.problems, found.image]).toEqual([[], tables.verification.image]);
      const again = await pulling({ tablesOnly: true });
      expect(again.fetchedBytes).toBe(0);
      const whole = await pulling();
      expect([whole.fetchedBytes, whole.notServed]).toEqual([bytes.image, null]);
      expect((await verify(into, version, quietEffects())).problems).toEqual([]);
    },
  );

  deep.it('leaves a newer, a held and another corpus served', async () => {
    await pulling();
    const older = '20200101T000000Z-00000000';
    const newer = '20990101T000000Z-00000000';
    const served = async (name: string) => {
      await cp(join(into, version), join(into, name), { recursive: true });
      await writeFile(join(into, 'CURRENT'), `${name}\n`);
    };
    await served(newer);
    expect((await pulling()).notServed).toBe(`${newer}, which is served, is newer`);
    await served(older);
    await updateState(into, { hold: { version: older, since: '2026-01-01T00:00:00.000Z' } }, quietEffects());
    expect((await pulling()).notServed).toBe(`${older} is held`);
    await rm(join(into, 'STATE.json'));
    const manifest = join(into, older, 'manifest.json');
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"corpus":"sample"', '"corpus":"registries"'));
    expect((await pulling()).notServed).toBe(`${older}, which is served, has the corpus registries`);
    expect(await readCurrent(into)).toBe(older);
  });
});

const logFiles = ['log/checkpoint', 'log/identities', 'log/keys', 'log/checkpoints/1'];

describe('an interrupted pull', () => {
  const LARGE = 'registrations.parquet';
  const partial = () => join(into, `.pull-${version}`, version, `${LARGE}.partial`);
  const rangesAsked = () => service.asked.filter(({ path }) => path === address(LARGE)).map(({ range }) => range);

  /** Answers the first `times` requests for a file with so many bytes of what was asked for. */
  const cut = (path: string, after: number, times: number): void => {
    let left = times;
    service.odd.set(address(path), (request, response, file) => {
      if (left-- <= 0) return sendFile(request, response, file);
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const headers = from === 0 ? {} : { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` };
      response.writeHead(from === 0 ? 200 : 206, headers).end(file.subarray(from, from + after));
    });
  };

  it('goes on at the byte where an answer ended', async () => {
    cut('registrations.parquet', 1000, 2);
    const { fetchedBytes } = await pulling();
    expect(fetchedBytes).toBe(bytes.all);
    expect(rangesAsked()).toEqual([null, 'bytes=1000-', 'bytes=2000-']);
    expect(told).toHaveLength(2);
    const size = content('registrations.parquet').length;
    expect(told[0]).toContain(
      `registrations.parquet: the answer ended after 1000 of ${size} bytes; trying again in 1 s`,
    );
  });

  it('that ends after six tries keeps what came, and the next pull fetches the rest', async () => {
    cut(LARGE, 100, 6);
    expect(await refusal()).toMatch(
      /registrations\.parquet: the answer ended after 600 of \d+ bytes, after 6 tries; run the same command again later: it goes on where it stopped$/,
    );
    expect((await stat(partial())).size).toBe(600);
    service.asked = [];
    await pulling();
    expect(rangesAsked()).toEqual(['bytes=600-']);
  });

  deep.it('that nobody goes on with is removed by gc', async () => {
    cut(LARGE, 100, 6);
    await refusal();
    const { leftovers } = await gc(into, DEFAULT_RETENTION, quietEffects());
    expect([leftovers, await readdir(into)]).toEqual([[`.pull-${version}`], []]);
  });

  deep.it(
    'begins a file again whose first bytes were damaged meanwhile, or that comes whole in place of a range',
    async () => {
      cut(LARGE, 100, 6);
      await refusal();
      await writeFile(partial(), Buffer.alloc(600));
      service.asked = [];
      await pulling();
      expect(rangesAsked()).toEqual(['bytes=600-', null]);
      await rm(into, { recursive: true });
      cut(LARGE, 100, 6);
      await refusal();
      service.odd.set(address(LARGE), (_, response, file) => void response.end(file));
      expect((await pulling()).verification.problems).toEqual([]);
    },
  );

  it('tries again what the service asks it to, after the time that it asks for', async () => {
    const answers = [503, 429, 500];
    service.odd.set(address('trials.parquet'), (request, response, file) => {
      const status = answers.shift();
      if (status === undefined) return sendFile(request, response, file);
      response.writeHead(status, { 'retry-after': '0' }).end('{"error":{"message":"busy\\u001b[2J"}}');
    });
    await pulling();
    expect(told.map((text) => text.replace(service.url, ''))).toEqual(
      [503, 429, 500].map((status) => `${address('trials.parquet')}: HTTP ${status} (busy?[2J); trying again in 0 s`),
    );
    await rm(into, { recursive: true });
    const busy = (response: ServerResponse) => void response.writeHead(503, { 'retry-after': '3600' }).end();
    service.odd.set(address('trials.parquet'), (_, response) => busy(response));
    expect(await refusal()).toBe(
      `${address('trials.parquet')}: HTTP 503 asks to wait 3600 s; run the same command after that`,
    );
  });
});

describe('a service that lies', () => {
  it('with other bytes is refused with both hashes, and the bytes are given up', async () => {
    const [right, wrong] = [content('trials.parquet'), flipped(content('trials.parquet'))];
    service.odd.set(address('trials.parquet'), (_, response) => void response.end(wrong));
    expect(await refusal()).toBe(`trials.parquet has the SHA-256 ${sha256(wrong)}, expected ${sha256(right)}`);
    const partial = join(into, `.pull-${version}`, version, 'trials.parquet.partial');
    expect(existsSync(partial)).toBe(false);
    // A service that says so by itself is refused before its bytes are read.
    service.odd.delete(address('trials.parquet'));
    service.files.set(address('trials.parquet'), wrong);
    expect(await refusal()).toBe(
      `${address('trials.parquet')} has the SHA-256 ${sha256(wrong)}, but the manifest states ${sha256(right)}`,
    );
  });

  it('with another part than was asked for is refused', async () => {
    await mkdir(join(into, `.pull-${version}`, version), { recursive: true });
    const partial = join(into, `.pull-${version}`, version, 'trials.parquet.partial');
    await writeFile(partial, content('trials.parquet').subarray(0, 50));
    const size = content('trials.parquet').length;
    service.odd.set(address('trials.parquet'), (_, response, file) => {
      response.writeHead(206, { 'content-range': `bytes 0-${size - 1}/${size}` }).end(file);
    });
    expect(await refusal()).toBe(
      `${address('trials.parquet')}: the service answers with another part than was asked for (bytes 0-${size - 1}/${size}, expected bytes 50-${size - 1}/${size})`,
    );
    // The head is right and the bytes are those from the beginning: the hash tells it, then the whole file is asked for.
    service.odd.set(address('trials.parquet'), (request, response, file) => {
      if (request.headers.range === undefined) return void response.end(flipped(file));
      response.writeHead(206, { 'content-range': `bytes 50-${size - 1}/${size}` }).end(file.subarray(0, size - 50));
    });
    expect(await refusal()).toContain(`trials.parquet has the SHA-256 ${sha256(flipped(content('trials.parquet')))}`);
  });

  it('with more bytes than the manifest states is stopped, however it sends them', async () => {
    const size = content('trials.parquet').length;
    service.odd.set(address('trials.parquet'), (_, response) => void response.end(Buffer.alloc(size + 1)));
    expect(await refusal()).toBe(
      `${address('trials.parquet')}: the service sends ${size + 1} bytes or more, but the manifest states ${size}`,
    );
    let closed: Promise<unknown> = Promise.resolve();
    service.odd.set(address('trials.parquet'), (_, response) => {
      response.writeHead(200);
      closed = once(response, 'close');
      const more = (): void => void response.write(Buffer.alloc(100_000), () => response.writable && more());
      more();
    });
    expect(await refusal()).toMatch(
      /trials\.parquet: the service sends \d+ bytes or more, but the manifest states \d+$/,
    );
    await closed;
    const partial = join(into, `.pull-${version}`, version, 'trials.parquet.partial');
    expect((await stat(partial)).size).toBeLessThanOrEqual(size);
  });

  it('with a manifest without end is stopped', async () => {
    service.odd.set(address('manifest.json'), (_, response) => {
      const more = (): void => void response.write(Buffer.alloc(1_000_000), () => response.writable && more());
      more();
    });
    expect(await refusal()).toBe('/snapshots/current/files/manifest.json has more than 16000000 bytes');
  });

  it.each([
    '../evil.parquet',
    '/tmp/evil.parquet',
    'raw/../../evil.parquet',
    'raw/deeper/evil.parquet',
    '..\\evil.parquet',
    '.hidden',
    'raw/',
    'C:evil',
  ])('cannot make a pull write %j', async (path) => {
    forge((text) => text.replace('"path":"trials.parquet"', `"path":${JSON.stringify(path)}`));
    expect(await refusal()).toMatch(/^the source\/manifest\.json is not a manifest: tables\.trials\.files\.0\.path: /);
    expect(await readdir(publisher.path)).not.toContain('evil.parquet');
    expect(service.asked).toHaveLength(3);
  });

  it('cannot make a pull write one file as two', async () => {
    forge((text) => text.replace('"path":"trials.parquet"', '"path":"LINKS.parquet"'));
    expect(await refusal()).toBe('manifest.json lists links.parquet twice');
    forge((text) => text.replace('"path":"LINKS.parquet"', '"path":"manifest.json"'));
    expect(await refusal()).toBe('manifest.json lists manifest.json twice');
  });

  it('with more bytes to come than the disk has is told before any is fetched', async () => {
    const free = async () => 1000;
    await expect(pulling({}, free)).rejects.toThrow(/^pull needs about \d+ kB in .*into, which has 1 kB free;/);
    expect(service.asked.map(({ path }) => path).filter((path) => path.endsWith('.parquet'))).toEqual([]);
  });

  it('with forged values is refused, since they have another identity', async () => {
    const [right, wrong] = [content('trials.parquet'), flipped(content('trials.parquet'))];
    forge((text) => text.replace(sha256(right), sha256(wrong)));
    service.files.set(address('trials.parquet'), wrong);
    expect(await refusal()).toMatch(
      /^\S+ is not put into .*: its identity [0-9a-f]{64} is not in the log of publications of its source$/,
    );
    expect(service.asked.filter(({ path }) => path.endsWith('.parquet'))).toEqual([]);
  });

  deep.it(
    'about its log is refused: without the identity, without the trusted key, or as another history',
    async () => {
      const other = signerKey('example.org/other', Buffer.alloc(32, 2)).verifier;
      expect(await refusal({ trusted: [other] })).toMatch(/log\/checkpoint: is not signed by a trusted key/);
      const log = new Map(
        ['checkpoint', 'identities'].map((name) => [name, service.files.get(`/snapshots/log/${name}`)!]),
      );
      service.files.delete('/snapshots/log/checkpoint');
      service.files.set('/snapshots/log/identities', Buffer.alloc(0));
      expect(await refusal()).toMatch(
        /^\S+ is not put into .*: its identity [0-9a-f]{64} is not in the log of publications of its source$/,
      );
      for (const [name, text] of log) service.files.set(`/snapshots/log/${name}`, text);
      // What was pulled before stays the measure.
      await mkdir(join(into, 'log', 'checkpoints'), { recursive: true });
      const earlier = `example.org/crash\n1\n${Buffer.alloc(32, 7).toString('base64')}\n`;
      await writeFile(join(into, 'log', 'checkpoints', '1'), earlier);
      await expect(pulling()).rejects.toThrow(/log\/checkpoints\/1: is not continued by the log: its root is 0707/);
      await rm(join(into, 'log', 'checkpoints', '1'));
      await writeFile(join(into, 'log', 'checkpoints', '2'), earlier.replace('\n1\n', '\n2\n'));
      await expect(pulling()).rejects.toThrow(
        /log\/checkpoints\/2: counts 2 identities, but the log holds 1: it was cut/,
      );
    },
  );

  it('leads nowhere else', async () => {
    service.odd.set(address('manifest.json'), (_, response) => {
      response.writeHead(302, { location: 'http://localhost:1/manifest.json' }).end();
    });
    expect(await refusal()).toBe('/snapshots/current/files/manifest.json: HTTP 302');
  });

  it('in the name of a version is refused', async () => {
    for (const name of ['manifest.json', 'files.json', 'run.json'])
      service.files.set(`/snapshots/20200101T000000Z-00000000/files/${name}`, content(name));
    expect(await refusal({ version: '20200101T000000Z-00000000' })).toBe(
      `manifest.json of 20200101T000000Z-00000000 is that of ${version}`,
    );
    expect(await refusal({ version: '20200101T000000Z-11111111' })).toMatch(
      /^the source has no \w+\.json of the version 20200101T000000Z-11111111$/,
    );
  });
});
