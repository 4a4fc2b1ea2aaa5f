// The Node for systems whose own is too old, in plain JavaScript for any Node >= 18. It comes from the npm registry,
// which others fill from nodejs.org; its bytes must be those of nodejs.org's archive (pinned-node.json, node-sums.ts).
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PINNED = JSON.parse(readFileSync(new URL('pinned-node.json', import.meta.url), 'utf8'));

/** What is pinned for a platform such as linux-x64; throws, saying what to do, where nothing is. */
export function pinnedNode(platform) {
  const pinned = PINNED.platforms[platform];
  if (pinned === undefined) {
    const known = Object.keys(PINNED.platforms).join(', ');
    throw new Error(`no Node is pinned for ${platform} (only for ${known}): install Node ${PINNED.version} yourself`);
  }
  return { ...pinned, version: PINNED.version };
}

/** Path of the pinned Node below `folder`; null where it is not there or has not been checked. */
export function checkedNode(folder, platform) {
  const { path, stamp, executableSha256 } = places(folder, platform);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === executableSha256 ? path : null;
}

/**
 * Path of the pinned Node below `folder`, after a check; `install` is asked for a package at its exact version where it
 * is not there. What that brought is removed, and an error thrown, where its bytes are others.
 */
export function bringPinnedNode(folder, platform, install) {
  const { package: name, version, executableSha256, home, path, stamp } = places(folder, platform);
  if (!existsSync(path) || sha256(path) !== executableSha256) {
    rmSync(home, { recursive: true, force: true });
    install(`${name}@${version}`);
  }
  const found = existsSync(path) ? sha256(path) : 'nothing';
  if (found !== executableSha256) {
    rmSync(home, { recursive: true, force: true });
    throw new Error(
      `${name}@${version} does not hold the Node of nodejs.org (SHA-256 ${found}, expected ${executableSha256}); it was removed. Install Node ${version} yourself.`,
    );
  }
  writeFileSync(stamp, executableSha256);
  return path;
}

function places(folder, platform) {
  const pinned = pinnedNode(platform);
  const home = join(folder, 'node_modules', pinned.package);
  const path = join(home, 'bin', platform.startsWith('win32') ? 'node.exe' : 'node');
  // Its sum takes a tenth of a second, so it is taken once.
  return { ...pinned, home, path, stamp: join(home, '.checked-sha256') };
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
