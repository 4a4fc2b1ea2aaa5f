/** Cells of every row of the tables in a document of docs/, without the rows of heads and rules. */
export function tableRows(document: string): string[][] {
  const lines = document.split('\n');
  const isRule = (line: string | undefined) => /^\|(?:\s*:?-+:?\s*\|)+$/.test(line ?? '');
  return lines
    .filter((line, place) => line.startsWith('|') && !isRule(line) && !isRule(lines[place + 1]))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The part of a document under one heading of the second level; throws if it has none. */
export function sectionOf(document: string, heading: string): string {
  const start = document.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`the document has no heading ${heading}`);
  const end = document.indexOf('\n## ', start + 1);
  return document.slice(start, end < 0 ? undefined : end);
}
