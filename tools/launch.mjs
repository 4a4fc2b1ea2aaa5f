// The first command after a clone, in plain JavaScript for any Node >= 18. It installs the locked packages and, when the
// system's Node is too old to run TypeScript, a newer one; then it runs the task. It imports no installed package.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bringPackages } from './debian-packages.mjs';
import { bringPinnedNode, checkedNode } from './pinned-node.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Node strips types by itself from this version on (stable since 22.18). */
const NODE_NEEDED = [22, 18];
/** Other people's clients and kits, which only tests and checks need, have their own lock file, so that a start is not delayed. */
const KITS = join(ROOT, 'test', 'kits');
/** What `npm ci` puts into each folder, measured on Linux. */
const SIZES = {
  '.': '177 packages, 380 MB',
  [join('test', 'kits')]: "other people's clients for the tests, 450 MB",
  [join('tools', 'bench')]: "the benchmarks' PostgreSQL driver, 4 MB",
};
const NEEDS_KITS = ['test:all', 'check'];
/** The benchmarks' PostgreSQL driver has a lock file of its own for the same reason. */
const BENCH = join(ROOT, 'tools', 'bench');
const NEEDS_BENCH = ['test:all', 'test:cluster', 'test:night', 'check', 'bench'];
/** What imports the typed client needs its modules that are made from the contract; the gateway makes its own. */
const NEEDS_SDK = [...NEEDS_BENCH, 'test'];
const LOCK_WAIT_MS = 300_000;

/** Without it, half of a start is spent on stripping and compiling the same modules again. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'node-compile');

/**
 * By default V8 lets young objects take 128 MB in time. A server under load reaches that, for no less CPU a request; from
 * 16 MB (32 with the half that is kept free) its memory stays where it was after the first minute.
 */
const SERVER_FLAGS = ['--max-semi-space-size=16'];

const TASKS = {
  start: [[...SERVER_FLAGS, 'tools/start.ts']],
  pipeline: [['pipeline/cli.ts']],
  board: [['board-server/cli.ts']],
  picture: [['tools/picture.ts']],
  truth: [['test/truth/main.ts']],
  cluster: [['tools/cluster/main.ts']],
  bench: [['tools/bench/main.ts']],
  // Projects of vitest.config.ts.
  test: [['node_modules/vitest/vitest.mjs', 'run', '--project', 'quick']],
  'test:all': [['node_modules/vitest/vitest.mjs', 'run', '--project', 'all']],
  'test:cluster': [['node_modules/vitest/vitest.mjs', 'run', '--project', 'postgres', '--project', 'whole-cluster']],
  'test:night': [['node_modules/vitest/vitest.mjs', 'run', '--project', 'night*']],
  'test:browser-setup': [],
  check: [
    ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'],
    ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ],
  format: [['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.']],
};

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Says on one line what is done now and, when it is done, how long it took. */
function step(text, work) {
  const from = Date.now();
  process.stderr.write(`${text} … `);
  work();
  process.stderr.write(`${Math.round((Date.now() - from) / 1000)} s\n`);
}

/** npm beside the Node that runs this script, else the one on PATH. No package may run a script while it is installed. */
function npm(words, cwd) {
  const args = [...words, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 2], shell: process.platform === 'win32' });
  if (result.error) fail(`npm is needed for the first start and could not be run: ${result.error.message}`);
  if (result.status !== 0) {
    fail(
      `npm ${args.join(' ')} failed (exit ${result.status}). Is the npm registry reachable? Then run the command again.`,
    );
  }
}

/** Where tests and `npm run picture` look for a Chromium; apt-get installs it at the first. */
const CHROMIUM_PLACES = JSON.parse(readFileSync(join(ROOT, 'tools', 'chromium.json'), 'utf8'));

/** Installs Debian's Chromium for the browser tests if it is missing. */
function bringChromium() {
  const present = CHROMIUM_PLACES.find(existsSync);
  if (present) return process.stderr.write(`Chromium is installed: ${present}\n`);
  const fault = bringPackages(['chromium']);
  if (fault !== null) fail(`${fault}: install Chromium yourself so that it is at one of ${CHROMIUM_PLACES.join(', ')}`);
}

/** Servers of the tests on several machines: Debian's package of each, and a program by which to know that it is there. */
const SERVERS = {
  postgresql: ['/usr/lib/postgresql'],
  'redis-server': ['/usr/bin/redis-server', '/usr/local/bin/redis-server'],
  'etcd-server': ['/usr/bin/etcd'],
  patroni: ['/usr/bin/patroni'],
  'python3-etcd': ['/usr/lib/python3/dist-packages/etcd/client.py'],
  haproxy: ['/usr/sbin/haproxy'],
};

/** Installs the servers that are missing. Returns why there is no PostgreSQL, without which none of these tests can run. */
function bringServers() {
  const missing = Object.keys(SERVERS).filter((name) => !SERVERS[name].some(existsSync));
  const fault = missing.length === 0 ? null : bringPackages(missing);
  return SERVERS.postgresql.some(existsSync) ? null : fault;
}

function isEnough(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor >= NODE_NEEDED[1]);
}

function lockHash(folder) {
  const hash = createHash('sha256');
  for (const name of ['package-lock.json', 'package.json']) hash.update(readFileSync(join(folder, name)));
  return `${hash.digest('hex')}\n`;
}

function stamp(folder) {
  return join(folder, 'node_modules', '.installed-lock');
}

function installed(folder) {
  return existsSync(stamp(folder)) && readFileSync(stamp(folder), 'utf8') === lockHash(folder);
}

/** Two first commands at once must not install over each other: the second waits for the first. */
function withInstallLock(work) {
  const path = join(ROOT, '.runtime', 'install.lock');
  mkdirSync(dirname(path), { recursive: true });
  const deadline = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      closeSync(openSync(path, 'wx'));
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (Date.now() - statSync(path).mtimeMs > LOCK_WAIT_MS) rmSync(path, { force: true });
      else if (Date.now() > deadline) fail(`another install has held ${path} for too long; remove it and run again`);
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    }
  }
  try {
    work();
  } finally {
    rmSync(path, { force: true });
  }
}

function install(folder) {
  if (installed(folder)) return;
  withInstallLock(() => {
    if (installed(folder)) return;
    const name = relative(ROOT, folder) || '.';
    step(`Installing ${SIZES[name]}, into ${join(name, 'node_modules')}`, () => {
      npm(['ci'], folder);
      writeFileSync(stamp(folder), lockHash(folder));
    });
  });
}

/** Before a first run does anything: all that it does, and how long that takes. */
function sayPlan(folders) {
  if (folders.every(installed)) return;
  const then = task === 'start' ? ', then makes a snapshot of a synthetic sample and serves it' : '';
  const node = isEnough(process.version) ? '' : 'a newer Node and ';
  process.stderr.write(
    `First run: npm ${['start', 'test'].includes(task) ? task : `run ${task}`} installs ${node}the locked packages below this folder, without running a script of theirs${then}. About a minute on two cores; the next run begins at once.\n`,
  );
}

/** Path of a Node that is new enough: this one, or the pinned one, which is installed into .runtime/. */
function runtime() {
  if (isEnough(process.version)) return process.execPath;
  const folder = join(ROOT, '.runtime');
  const platform = `${process.platform}-${process.arch}`;
  try {
    let path = checkedNode(folder, platform);
    if (path !== null) return path;
    withInstallLock(() => {
      path = bringPinnedNode(folder, platform, (specifier) => {
        step(
          `Installing ${specifier}, 190 MB, into .runtime (Node ${process.version} is older than ${NODE_NEEDED.join('.')})`,
          () => npm(['install', '--prefix', folder, '--no-save', specifier], ROOT),
        );
      });
    });
    return path;
  } catch (error) {
    return fail(error.message);
  }
}

const NPM_WATCH_MS = 500;

/** npm runs this through a shell that passes no signal on: when the shell is gone, who ended npm meant this program too. */
function endWithNpm(end) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const shell = process.ppid;
  return setInterval(() => {
    if (process.ppid !== shell) end();
  }, NPM_WATCH_MS);
}

/** Runs one program in the foreground and passes signals on, so that the child can drain. */
function run(node, args) {
  return new Promise((resolve) => {
    const env = {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...process.env,
      PATH: `${dirname(node)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
    };
    const child = spawn(node, args, { cwd: ROOT, stdio: 'inherit', env });
    const forward = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
    const watch = endWithNpm(() => forward('SIGTERM'));
    child.on('error', (error) => fail(`${node} could not be started: ${error.message}`));
    child.on('exit', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, forward);
      clearInterval(watch);
      resolve(signal ? 1 : (code ?? 1));
    });
  });
}

const [task, ...rest] = process.argv.slice(2);
const steps = TASKS[task];
if (!steps) fail(`usage: node tools/launch.mjs <${Object.keys(TASKS).join('|')}> [arguments]`);
if (task === 'test:browser-setup') {
  bringChromium();
  process.exit(0);
}
if (task === 'test:cluster' || task === 'test:night') {
  const fault = bringServers();
  if (fault !== null) {
    process.stderr.write(`The tests on PostgreSQL were skipped: it is not installed, and ${fault}\n`);
    process.exit(0);
  }
}
const folders = [ROOT, ...(NEEDS_KITS.includes(task) ? [KITS] : []), ...(NEEDS_BENCH.includes(task) ? [BENCH] : [])];
sayPlan(folders);
const node = runtime();
for (const folder of folders) install(folder);
if (NEEDS_SDK.includes(task)) steps.unshift(['tools/sdk.ts']);
for (const [index, step] of steps.entries()) {
  const code = await run(node, index === steps.length - 1 ? [...step, ...rest] : step);
  if (code !== 0) process.exit(code);
}
