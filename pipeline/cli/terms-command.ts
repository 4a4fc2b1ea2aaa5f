import { type Command, Option } from 'commander';
import { readTerminology, type Terminology } from '../../terminology/terminology.ts';
import { termsInUse } from '../terms/terms-in-use.ts';
import { withContext } from './context.ts';

interface Flags {
  json?: boolean;
}

export function addTermsCommand(program: Command): void {
  program
    .command('terms')
    .description('show the terminology that the next publish uses: sources, years, concepts and names')
    .addOption(new Option('--json', 'one JSON object on standard output, nothing else'))
    .action((flags: Flags) =>
      withContext(flags.json === true, async ({ config, result }) => {
        const { file, packed } = await termsInUse(config.dataDir);
        const terms = readTerminology(packed);
        const shown = { file, identity: terms.identity, concepts: terms.concepts.length, sources: terms.sources };
        result(shown, renderTerms(file, terms));
      }),
    );
}

function renderTerms(file: string | null, { concepts, identity, sources }: Terminology): string {
  return [
    `terms     ${file === null ? 'bundled (data/terminology)' : `imported (${file})`}, ${concepts.length} concepts, ${identity.slice(0, 12)}`,
    ...sources.map(({ name, year, terms, licence }) => `          ${year}  ${terms} names of ${name}; ${licence}`),
  ].join('\n');
}
