import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { H3 } from 'h3';
import { HTTPResponse } from 'h3';

/** Browsers may keep it without limit: a changed file gets another name. */
const FOREVER = 'public, max-age=31536000, immutable';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

interface Asset {
  path: string;
  mediaType: string;
  body: Buffer<ArrayBuffer>;
}

function asset(name: string, mediaType: string, body: Buffer<ArrayBuffer> = contentOf(`assets/${name}`)): Asset {
  const [stem, ending] = name.split('.');
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { path: `/assets/${stem}-${hash}.${ending}`, mediaType, body };
}

const contentOf = (file: string): Buffer<ArrayBuffer> => Buffer.from(readFileSync(new URL(file, import.meta.url)));

/** The verifier of proofs, which /verify.mjs serves too: there under a name that people can type, which may not be kept. */
export const VERIFIER_FILE = contentOf('../../snapshot/proof/verify.mjs');

/** The style sheet is written in parts, which are served as one file in the order of their names. */
function styleSheet(): Buffer<ArrayBuffer> {
  const folder = 'assets/style/';
  const names = readdirSync(new URL(folder, import.meta.url)).sort();
  return Buffer.concat(names.map((name) => contentOf(`${folder}${name}`)));
}

const STYLE = asset('style.css', 'text/css; charset=utf-8', styleSheet());
const SCRIPT = asset('live.js', JAVASCRIPT);
const KIT_SCRIPT = asset('kit.js', JAVASCRIPT);
const VERIFIER = asset('verify.mjs', JAVASCRIPT, VERIFIER_FILE);
/** Imports the verifier that it was written for, also while a browser keeps an older /verify.mjs. */
const VERIFY_PAGE = asset(
  'verify-page.js',
  JAVASCRIPT,
  Buffer.from(contentOf('assets/verify-page.js').toString().replace("'/verify.mjs'", `'${VERIFIER.path}'`)),
);

const ASSETS = [STYLE, SCRIPT, KIT_SCRIPT, VERIFIER, VERIFY_PAGE];
export const STYLE_PATH = STYLE.path;
export const KIT_SCRIPT_PATH = KIT_SCRIPT.path;
/** Served at an address of its own, which browsers and others guess. */
export const ICON_FILE = contentOf('assets/favicon.svg');
export const SCRIPT_PATH = SCRIPT.path;
export const VERIFY_PAGE_PATH = VERIFY_PAGE.path;
export const ASSET_PATHS: readonly string[] = ASSETS.map(({ path }) => path);

/** Serves the style sheet of all pages and the scripts of some. */
export function mountAssets(app: H3): void {
  for (const { path, mediaType, body } of ASSETS) {
    const headers = { 'content-type': mediaType, 'cache-control': FOREVER };
    app.get(path, () => new HTTPResponse(body, { headers }));
    app.on('HEAD', path, () => new HTTPResponse(null, { headers }));
  }
}
