import { type Measure, type Measured, type RealRecords, type Row, type Share, wilson } from './measure.ts';
import { MEASURES, UNMEASURED } from './measures.ts';
import { type Served, serveRecords } from './served.ts';

/** Writes docs/truth.md from what was measured. */

const INTRODUCTION = `# Truth

Measured precision and recall of what the pipeline and the index infer from registry records, over samples that were checked by
reading. \`npm run truth\` measures them again and writes this page; \`npm run truth -- --check\` only says whether it is still true,
\`--data FOLDER\` reads the registry records elsewhere. The checked sets (ids and labels, no registry text) are in
\`test/truth/sets/\`, each measure is a file of \`test/truth/measures/\`. The records themselves are not in this repository; without
them nothing is measured and the command says so.

Precision is the share of what was found that is right, recall the share of what is right that was found. Behind each share stand its
counts and, where the sample was drawn, Wilson's 95 % interval, which covers the chance of the draw and nothing else: not a mistake of the checkers,
not how records outside the sample differ, and not that several labels of one record go together.
`;

const percent = (share: number): string => `${(100 * share).toFixed(1)}`;

export function shareText(share: Share | null, isWhole = false): string {
  const interval = share === null ? null : wilson(share);
  if (share === null || interval === null) return 'not measured';
  const range = isWhole ? '' : `; ${percent(interval.low)} to ${percent(interval.high)}`;
  return `${percent(share.hits / share.of)} % (${share.hits}/${share.of}${range})`;
}

function tableOf(rows: readonly Row[], isWhole: boolean): string {
  const lines = rows.map(
    ({ what, n, precision, recall }) =>
      `| ${what} | ${n} | ${shareText(precision, isWhole)} | ${shareText(recall, isWhole)} |`,
  );
  const head = isWhole ? '| what | n | precision | recall |' : '| what | n | precision (95 %) | recall (95 %) |';
  return [head, '|---|---|---|---|', ...lines].join('\n');
}

function missesOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ what, misses }) =>
    [...Map.groupBy(misses, ({ why }) => why)].map(
      ([why, group]) => `Known misses, ${what}, ${why} (${group.length}): ${group.map(({ id }) => id).join('; ')}.`,
    ),
  );
}

/** The section of a measure, beginning with its heading. */
export function sectionOf(measure: Measure, { rows, remarks }: Measured): string {
  const { title, sample, method, checked, isWhole = false } = measure;
  const notes = rows.flatMap(({ what, note }) => (note === undefined ? [] : [`${what}: ${note}`]));
  const facts = [
    `- Sample: ${sample}`,
    `- Method: ${method}`,
    `- Checked by ${checked.by}, on ${checked.on}: ${checked.how}.`,
    ...[...remarks, ...notes].map((remark) => `- ${remark}`),
  ];
  return [`## ${title}`, facts.join('\n'), tableOf(rows, isWhole), ...missesOf(rows)].join('\n\n');
}

/** The sections of a written page, by title. */
export function writtenSections(page: string): Map<string, string> {
  const sections = page.trimEnd().split(/\n\n(?=## )/);
  return new Map(sections.map((section) => [/^## (.*)/.exec(section)?.[1] ?? '', section]));
}

/** Measures everything on the records in `data`, one measure after another. Sections in `written` stay as they are. */
export async function truthDocument(data: string, written?: ReadonlyMap<string, string>): Promise<string> {
  const opened: Partial<Record<'ctgov' | 'both', Promise<Served>>> = {};
  const records: RealRecords = {
    data,
    served: () => (opened.ctgov ??= serveRecords(data, { isrctn: false })),
    servedOfBoth: () => (opened.both ??= serveRecords(data, { isrctn: true })),
  };
  const sections: string[] = [];
  try {
    for (const measure of MEASURES) {
      sections.push(written?.get(measure.title) ?? sectionOf(measure, await measure.measure(records)));
    }
  } finally {
    for (const served of Object.values(opened)) await (await served)[Symbol.asyncDispose]();
  }
  const unmeasured = UNMEASURED.map(({ what, why }) => `| ${what} | ${why} |`);
  const last = ['## Not measured', ['| what | why |', '|---|---|', ...unmeasured].join('\n')];
  return `${[INTRODUCTION.trimEnd(), ...sections, ...last].join('\n\n')}\n`;
}
