import { type Command, Option } from 'commander';
import type { Config } from '../../server-kit/config/config.ts';
import { readTrustedKeys } from '../../snapshot/format/versions/key-files.ts';
import { keyWords } from '../../snapshot/format/versions/publication-log.ts';
import type { SignerKey } from '../../snapshot/proof/note.ts';
import type { PublicKey } from '../../snapshot/proof/verify.mjs';
import { checkLog } from '../publish/checks/check-log.ts';
import { makeFirstKey, retireKey, rotateKey } from '../publish/identity/signing-keys.ts';
import { UsageError, withContext } from './context.ts';
import { renderLog } from './render.ts';

interface Flags {
  json?: boolean;
  name?: string;
  rotate?: boolean;
  retire?: string;
}

const jsonOption = () => new Option('--json', 'one JSON object on standard output, nothing else');

/** The keys that a verification insists on; null where the setting names none. */
export async function trustedKeys({ trustedKeysFile }: Config): Promise<PublicKey[] | null> {
  return trustedKeysFile === null ? null : readTrustedKeys(trustedKeysFile);
}

/** The commands of the log of publications and of the keys that sign it. */
export function addLogCommands(program: Command): void {
  program
    .command('log')
    .description('show the log of publications, and check it: every checkpoint, signature and snapshot')
    .addOption(jsonOption())
    .action((flags: Flags) =>
      withContext(flags.json === true, async ({ config, result }) => {
        const checked = await checkLog(config.snapshotsDir, await trustedKeys(config));
        result({ signed: checked.signedBy.length > 0, ...checked }, renderLog(checked));
        if (checked.problems.length > 0) process.exitCode = 1;
      }),
    );
  program
    .command('keygen')
    .description('make the key that signs the log of publications and the heads of the board (SIGNING_KEY_FILE)')
    .addOption(new Option('--name <name>', 'name of the log and its keys, such as example.org/trials'))
    .addOption(new Option('--rotate', 'add a new key of the same name, which signs together with the old ones'))
    .addOption(
      new Option('--retire <id>', 'remove the private key of this id; the log goes on listing its public key')
        .argParser((text) => text.split('+').at(-1) ?? text)
        .conflicts(['rotate', 'name']),
    )
    .addOption(jsonOption())
    .action((flags: Flags) =>
      withContext(flags.json === true, async ({ config, result }) => {
        const keys = await changedKeys(flags, { path: config.signingKeyFile, snapshotsDir: config.snapshotsDir });
        const shown = keys.map(({ verifier }) => ({ key: keyWords(verifier), publicKey: verifier.vkey }));
        result({ file: config.signingKeyFile, keys: shown }, renderKeys(config.signingKeyFile, keys, flags));
      }),
    );
}

function changedKeys(
  { name, rotate, retire }: Flags,
  place: { path: string; snapshotsDir: string },
): Promise<SignerKey[]> {
  if (retire !== undefined) return retireKey(place, retire);
  if (rotate === true) return rotateKey(place, name);
  if (name === undefined) throw new UsageError('--name is missing: name the log, such as example.org/trials');
  return makeFirstKey(place, name);
}

function renderKeys(path: string, keys: readonly SignerKey[], { retire, rotate }: Flags): string {
  const done =
    retire === undefined ? `${rotate ? 'added' : 'made'} ${keyWords(keys[0]!.verifier)}` : `retired ${retire}`;
  return [
    `${done} in ${path}`,
    'From the next publication on, these keys sign; give their public keys to those who verify (TRUSTED_KEYS_FILE):',
    ...keys.map(({ verifier }) => verifier.vkey),
    ...(retire === undefined
      ? [
          ...(rotate === true
            ? []
            : [
                'A log takes the name of its first key; checkpoints that were kept before it had one are of another log (docs/log.md).',
              ]),
          'Keep the file to its owner, and a copy off this machine. A running board reads it when it starts.',
        ]
      : []),
  ].join('\n');
}
