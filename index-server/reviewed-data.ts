import { readdirSync, readFileSync } from 'node:fs';

/** A reviewed file of data/, with the days of its review. */
export interface ReviewedFile {
  /** Its path in data/ without the ending. */
  name: string;
  kind: 'curated' | 'rules';
  /** Day of the oldest review in it. */
  reviewedOn: string;
  /** Day of the earliest next review in it; null if none is set. */
  nextReviewOn: string | null;
}

/** Folders of data/ and the kind of their files; `.` is data/ itself. */
const FOLDERS = {
  curated: 'curated',
  lexicons: 'rules',
  rules: 'rules',
  sources: 'rules',
  '.': 'rules',
} as const satisfies Record<string, ReviewedFile['kind']>;
const REVIEWED = ['reviewedOn', 'reviewed'];
const NEXT = ['nextReviewOn', 'nextReview'];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

let held: readonly ReviewedFile[] | undefined;

/** The reviewed files of this program, read once in a process. */
export function reviewedFiles(): readonly ReviewedFile[] {
  held ??= loadReviewedFiles();
  return held;
}

/** Every reviewed file, sorted by name. Throws if one has no day of review; a missing folder counts as empty. */
export function loadReviewedFiles(data: URL = new URL('../data/', import.meta.url)): ReviewedFile[] {
  const files = Object.entries(FOLDERS).flatMap(([folder, kind]) =>
    namesIn(new URL(`${folder}/`, data)).map((file): ReviewedFile => {
      const name = folder === '.' ? file : `${folder}/${file}`;
      const content: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, data), 'utf8'));
      const [reviewedOn] = daysUnder(content, REVIEWED).sort();
      if (reviewedOn === undefined) throw new Error(`data/${name}.json does not say when it was reviewed`);
      return { name, kind, reviewedOn, nextReviewOn: daysUnder(content, NEXT).sort()[0] ?? null };
    }),
  );
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function namesIn(folder: URL): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function daysUnder(value: unknown, keys: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): string[] =>
    keys.includes(key) && typeof inner === 'string' && DAY.test(inner) ? [inner] : daysUnder(inner, keys),
  );
}
