import { createHash } from 'node:crypto';
import type { SDK_OPERATIONS } from '../../contract/operations/sdk.ts';
import { API_VERSION, COORDINATION_CONTRACT_VERSION } from '../../contract/version.ts';
import { type Handlers, JsonText } from '../../server-kit/mount.ts';
import type { SdkFiles } from '../sdk-files.ts';

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
    { runtime: 'Node >= 22.18, Bun', command: saveCommand(address), code: client(`./${FOLDER}/client.ts`) },
  ];
}

/** A shell command that saves every file into a subfolder. */
function saveCommand(address: string): string {
  const program = `import { mkdirSync, writeFileSync } from 'node:fs'; const { data } = await (await fetch('${address}')).json(); mkdirSync('${FOLDER}', { recursive: true }); for (const { path, content } of data.files) writeFileSync('${FOLDER}/' + path, content);`;
  return `node --input-type=module -e "${program}"`;
}
