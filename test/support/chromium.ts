import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian and others put it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A Chromium of this machine; null where there is none. */
export function chromiumPath(): string | null {
  return PLACES.find((path) => existsSync(path)) ?? null;
}

export const NO_CHROMIUM = `no Chromium at ${PLACES.join(', ')}; install one (on Debian: apt-get install chromium)`;

export function launchChromium(executablePath: string): Promise<Browser> {
  // Its own sandbox needs privileges that containers do not give; it only ever opens pages of this test.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
