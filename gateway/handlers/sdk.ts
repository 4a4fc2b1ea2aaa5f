import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SDK_OPERATIONS } from '../../contract/operations/service/sdk.ts';
import { API_VERSION, COORDINATION_CONTRACT_VERSION } from '../../contract/version.ts';
import { type Handlers, JsonText } from '../../server-kit/mount.ts';
import { sdkPackage } from '../sdk-package.ts';

const FOLDER = 'trial-board-sdk';

export const sdkHandlers: Handlers<typeof SDK_OPERATIONS, SdkFiles> = {
  sdk: (_input, { baseUrl }, { name, version, source }) => {
    const address = `${baseUrl}/api/v1/sdk`;
    const list = source.map((file) => `${file.sha256}  ${file.name}\n`).join('');
    return {
      data: {
        name,
        version,
        language: 'TypeScript',
        apiVersion: API_VERSION,
        contractVersion: COORDINATION_CONTRACT_VERSION,
        hash: createHash('sha256').update(list).digest('hex'),
        install: installation(address),
        files: source.map((file) => ({
          path: file.name,
          bytes: file.content.length,
          sha256: file.sha256,
          url: `${address}/${file.name}`,
          content: file.content.toString(),
        })),
      },
      validator: `${baseUrl}\n${list}`,
    };
  },

  'sdk-file': ({ params }, _context, { byName }, fail) => {
    const file = byName.get(params.file);
    if (!file) return fail('NOT_FOUND', { message: 'The SDK has no such file; GET /api/v1/sdk lists them.' });
    return { data: new JsonText(file.content), validator: file.sha256, headers: { 'content-type': file.mediaType } };
  },
};

function installation(address: string) {
  const client = (path: string): string => `import { TrialBoardClient } from '${path}';`;
  return [
    { runtime: 'browser, as a module', command: null, code: client(`${address}/client.js`) },
    { runtime: 'Deno', command: null, code: client(`${address}/client.ts`) },
    {
      runtime: 'npm package, with JavaScript and types',
      command: `npm install ${address}.tgz`,
      code: "import { TrialBoardClient } from '@trial-board/sdk';",
    },
    { runtime: 'Node >= 22.18, Bun', command: saveCommand(address), code: client(`./${FOLDER}/client.ts`) },
  ];
}

/** A shell command that saves every file into a subfolder. */
function saveCommand(address: string): string {
  const program = `import { mkdirSync, writeFileSync } from 'node:fs'; const { data } = await (await fetch('${address}')).json(); mkdirSync('${FOLDER}', { recursive: true }); for (const { path, content } of data.files) writeFileSync('${FOLDER}/' + path, content);`;
  return `node --input-type=module -e "${program}"`;
}

/** A file of the SDK, as served. */
interface SdkFile {
  name: string;
  content: Buffer<ArrayBuffer>;
  sha256: string;
  mediaType: string;
}

interface SdkFiles {
  name: string;
  version: string;
  /** The source, by name. */
  source: readonly SdkFile[];
  /** Source and JavaScript, by name; no other file is served. */
  byName: ReadonlyMap<string, SdkFile>;
  /** The package of npm, a tarball. */
  tarball: Buffer<ArrayBuffer>;
}

const SDK = fileURLToPath(new URL('../../sdk', import.meta.url));

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.ts': 'text/typescript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

let held: SdkFiles | undefined;

/** The SDK of this checkout, read and packed once in a process: packing is most of the cost of making a gateway. */
export function readSdkFiles(): SdkFiles {
  held ??= sdkFilesOfCheckout();
  return held;
}

function sdkFilesOfCheckout(): SdkFiles {
  const modules = readdirSync(SDK).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
  const source = ['package.json', ...modules.sort()].map((name) => fileOf(SDK, name));
  const scripts = readdirSync(join(SDK, 'js')).filter((name) => name.endsWith('.js'));
  const compiled = scripts.map((name) => fileOf(join(SDK, 'js'), name));
  const { name, version } = JSON.parse(source[0]!.content.toString()) as { name: string; version: string };
  const byName = new Map([...source, ...compiled].map((file) => [file.name, file]));
  return { name, version, source, byName, tarball: sdkPackage(SDK) };
}

function fileOf(folder: string, name: string): SdkFile {
  const content = readFileSync(join(folder, name));
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, content, sha256, mediaType: MEDIA_TYPES[extname(name)]! };
}
