import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { SDK_OPERATIONS } from '../../contract/operations/service/sdk.ts';
import { API_VERSION, COORDINATION_CONTRACT_VERSION } from '../../contract/version.ts';
import type { SdkModules } from '../../sdk/make/sdk-files.ts';
import { type Handlers, JsonText } from '../../server-kit/mount.ts';
import { WorkerPool } from '../../server-kit/threads/worker-pool.ts';
import { packageOf } from '../sdk-package.ts';

const FOLDER = 'trial-board-sdk';

export const sdkHandlers: Handlers<typeof SDK_OPERATIONS, null> = {
  sdk: async (_input, { baseUrl }) => {
    const { name, version, source } = await sdkFiles();
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

  'sdk-file': async ({ params }, _context, _services, fail) => {
    const file = (await sdkFiles()).byName.get(params.file);
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

const SDK = new URL('../../sdk/', import.meta.url);

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.ts': 'text/typescript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

let made: Promise<SdkFiles> | undefined;

/** The SDK, made from the contract when it is first asked for, once in a process. */
export function sdkFiles(): Promise<SdkFiles> {
  made ??= makeSdkFiles();
  return made;
}

async function makeSdkFiles(): Promise<SdkFiles> {
  await using worker = new WorkerPool<null, SdkModules>(new URL('../sdk-worker.ts', import.meta.url), 'makeSdk');
  const { source, compiled } = await worker.run(null);
  const manifest = readFileSync(new URL('package.json', SDK), 'utf8');
  const { name, version } = JSON.parse(manifest) as { name: string; version: string };
  const sources = [...filesOf({ 'package.json': manifest }), ...filesOf(source)];
  const scripts = filesOf(compiled).filter((file) => file.name.endsWith('.js'));
  const packed = Object.entries(compiled).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    name,
    version,
    source: sources,
    byName: new Map([...sources, ...scripts].map((file) => [file.name, file])),
    tarball: packageOf({
      'package.json': Buffer.from(manifest),
      'README.md': readFileSync(new URL('README.md', SDK)),
      LICENSE: readFileSync(new URL('../LICENSE', SDK)),
      ...Object.fromEntries(packed.map(([file, text]) => [`js/${file}`, Buffer.from(text)])),
    }),
  };
}

/** In the order of their names. */
function filesOf(texts: Readonly<Record<string, string>>): SdkFile[] {
  return Object.entries(texts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => {
      const content = Buffer.from(text);
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { name, content, sha256, mediaType: MEDIA_TYPES[extname(name)]! };
    });
}
