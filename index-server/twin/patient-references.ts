import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { PATIENT_MODEL } from '../../contract/declared/patient-model.ts';
import { PATIENT_BRANCH_IDS } from '../../contract/ids.ts';
import type { CurrentReferences, PatientReference } from '../../contract/schemas/research/patient-model.ts';
import type { ResearchItem } from '../../contract/schemas/trials/signals.ts';

const text = z.string().min(1);
const common = { id: text.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), immuneContext: text, use: text };
const described = {
  title: text,
  reference: text,
  year: z.int(),
  evidenceLevel: text,
  pmid: z.string().regex(/^\d+$/).nullable(),
  doi: z.string().startsWith('10.').nullable(),
  finding: text,
  unresolved: text,
};
const fileSchema = z.strictObject({
  id: text,
  note: text,
  scope: text,
  reviewed: z.iso.date(),
  nextReview: z.iso.date(),
  references: z.array(z.union([z.strictObject(common), z.strictObject({ ...common, ...described })])),
  branches: z.array(
    z.strictObject({
      id: z.enum(PATIENT_BRANCH_IDS),
      references: z.array(text),
      comparators: z.array(text),
      note: text,
    }),
  ),
});
type File = z.infer<typeof fileSchema>;
type Described = Pick<ResearchItem, keyof typeof described>;

/**
 * The dated references of data/curated/references.json. A reference without its own description takes that of the
 * research item with its id. Throws if a reference has none or both, or if a branch names one that is not listed.
 */
export function loadReferences(
  research: readonly ResearchItem[],
  file: URL = new URL('../../data/curated/references.json', import.meta.url),
): CurrentReferences {
  const content = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const items = new Map(research.map((item) => [item.id, item]));
  const references = content.references
    .map((entry) => referenceOf(entry, items, content.branches))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const ids = new Set(references.map(({ id }) => id));
  if (ids.size !== references.length) throw new Error('data/curated/references.json names an id twice');
  const unknown = content.branches
    .flatMap((branch) => [...branch.references, ...branch.comparators])
    .filter((id) => !ids.has(id));
  if (unknown.length > 0) throw new Error(`data/curated/references.json has no reference ${unknown.join(', ')}`);
  return {
    id: content.id,
    reviewedOn: content.reviewed,
    nextReviewOn: content.nextReview,
    scope: content.scope,
    references,
    branches: PATIENT_BRANCH_IDS.map((id) => branchOf(id, content.branches)),
    referencePolicy: PATIENT_MODEL.referencePolicy,
  };
}

function referenceOf(
  entry: File['references'][number],
  items: ReadonlyMap<string, ResearchItem>,
  branches: File['branches'],
): PatientReference {
  const { id, immuneContext, use } = entry;
  const item = items.get(id);
  const own = 'title' in entry ? entry : undefined;
  const source: Described | undefined = own ?? item;
  if (source === undefined || (own && item)) {
    throw new Error(`data/curated/references.json: ${id} must be described in exactly one place`);
  }
  return {
    id,
    title: source.title,
    reference: source.reference,
    publicationYear: source.year,
    ...addresses(source),
    sourceLevel: source.evidenceLevel,
    finding: source.finding,
    immuneContext,
    use,
    unresolved: source.unresolved,
    branches: branches.filter(({ references }) => references.includes(id)).map((branch) => branch.id),
  };
}

function addresses({ pmid, doi }: Described): Pick<PatientReference, 'pmid' | 'doi' | 'url' | 'supportingUrl'> {
  const [url, supportingUrl] = [
    ...(doi === null ? [] : [`https://doi.org/${doi}`]),
    ...(pmid === null ? [] : [`https://pubmed.ncbi.nlm.nih.gov/${pmid}/`]),
  ];
  return {
    ...(pmid === null ? {} : { pmid }),
    ...(doi === null ? {} : { doi }),
    ...(url === undefined ? {} : { url }),
    ...(supportingUrl === undefined ? {} : { supportingUrl }),
  };
}

function branchOf(id: File['branches'][number]['id'], branches: File['branches']): File['branches'][number] {
  const found = branches.filter((branch) => branch.id === id);
  if (found.length !== 1) throw new Error(`data/curated/references.json must describe the branch ${id} once`);
  return found[0]!;
}
