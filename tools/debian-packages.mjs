import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Without a network apt keeps trying for a long time. */
const PATIENCE_MS = 180_000;

/** Installs Debian packages. Returns why they could not be installed, or null. */
export function bringPackages(packages) {
  if (!existsSync('/usr/bin/apt-get')) return 'there is no apt-get here';
  if (process.getuid?.() !== 0) return 'apt-get needs root';
  const names = packages.join(' ');
  process.stderr.write(`Installing ${names} with apt-get …\n`);
  const apt = (...words) =>
    spawnSync('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...words], {
      stdio: ['ignore', 'ignore', 2],
      timeout: PATIENCE_MS,
    });
  // The package lists may be old or missing: update them and try again.
  if (apt('install', '-y', ...packages).status === 0) return null;
  apt('update');
  return apt('install', '-y', ...packages).status === 0 ? null : `apt-get could not install ${names}`;
}
