import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { H3 } from 'h3';
import { HTTPResponse } from 'h3';

/** Browsers may keep it without limit: a changed file gets another name. */
const FOREVER = 'public, max-age=31536000, immutable';

interface Asset {
  path: string;
  mediaType: string;
  body: Buffer<ArrayBuffer>;
}

function asset(name: string, mediaType: string): Asset {
  const body = Buffer.from(readFileSync(new URL(`assets/${name}`, import.meta.url)));
  const [stem, ending] = name.split('.');
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${stem}-${hash}.${ending}`, mediaType, body };
}

const STYLE = asset('style.css', 'text/css; charset=utf-8');
const SCRIPT = asset('live.js', 'text/javascript; charset=utf-8');

export const STYLE_PATH = STYLE.path;
export const SCRIPT_PATH = SCRIPT.path;
export const ASSET_PATHS: readonly string[] = [STYLE_PATH, SCRIPT_PATH];

/** Serves the style sheet of all pages and the script of the live ones. */
export function mountAssets(app: H3): void {
  for (const { path, mediaType, body } of [STYLE, SCRIPT]) {
    const headers = { 'content-type': mediaType, 'cache-control': FOREVER };
    app.get(path, () => new HTTPResponse(body, { headers }));
    app.on('HEAD', path, () => new HTTPResponse(null, { headers }));
  }
}
