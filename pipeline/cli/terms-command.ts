import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { readTerminology, type Terminology } from '../../snapshot/terminology/terminology.ts';
import { withPipelineLock } from '../lock.ts';
import { importMeshFile, importMeshUrl } from '../terms/import-mesh.ts';
import { termsInUse } from '../terms/terms-in-use.ts';
import { type CommandContext, UsageError, withContext } from './context.ts';

interface Flags {
  json?: boolean;
  /** True where no file is named. */
  mesh?: string | true;
}

export function addTermsCommand(program: Command): void {
  program
    .command('terms')
    .description('show the terminology that the next publish uses: sources, years, concepts and names')
    .addOption(
      new Option(
        '--mesh [file]',
        "import NLM's yearly file of MeSH descriptors, plain or gzipped (default: from MESH_URL)",
      ),
    )
    .addOption(new Option('--json', 'one JSON object on standard output, nothing else'))
    .action((flags: Flags) =>
      withContext(flags.json === true, async (context) => {
        const { config, effects, result } = context;
        if (flags.mesh !== undefined) {
          const { mesh } = flags;
          await withPipelineLock({ dataDir: config.dataDir }, () => importMesh(mesh, context), effects);
        }
        const { file, packed } = await termsInUse(config.dataDir);
        const terms = readTerminology(packed);
        const shown = { file, identity: terms.identity, concepts: terms.concepts.length, sources: terms.sources };
        result(shown, renderTerms(file, terms));
      }),
    );
}

async function importMesh(mesh: string | true, { config, effects }: CommandContext): Promise<void> {
  if (mesh !== true) return importMeshFile(resolve(mesh), config.dataDir);
  const { meshUrl, dataDir, contactEmail } = config;
  if (meshUrl === null) throw new UsageError('--mesh needs a file, or its address in MESH_URL');
  await importMeshUrl(meshUrl, dataDir, contactEmail === null ? {} : { contact: contactEmail }, effects);
}

function renderTerms(file: string | null, { concepts, identity, sources }: Terminology): string {
  return [
    `terms     ${file === null ? 'bundled (data/terminology)' : `imported (${file})`}, ${concepts.length} concepts, ${identity.slice(0, 12)}`,
    ...sources.map(({ name, year, terms, licence }) => `          ${year}  ${terms} names of ${name}; ${licence}`),
  ].join('\n');
}
