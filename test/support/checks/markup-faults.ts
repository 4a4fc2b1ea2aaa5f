/** Elements without content and closing tag. */
const VOID = new Set(['meta', 'link', 'input', 'br', 'hr', 'img']);
/** Elements before which a browser closes a paragraph. */
const BLOCKS = new Set(
  'address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);
/** Allowed parents of these elements. */
const PARENTS: Record<string, readonly string[]> = {
  li: ['ul', 'ol'],
  dt: ['dl', 'div'],
  dd: ['dl', 'div'],
  tr: ['thead', 'tbody'],
  th: ['tr'],
  td: ['tr'],
  caption: ['table'],
  thead: ['table'],
  tbody: ['table'],
  summary: ['details'],
  figcaption: ['figure'],
  option: ['select', 'optgroup', 'datalist'],
};

/** Faults of a document: unmatched tags, duplicate ids, links to missing ids, inline scripts. */
export function markupFaults(markup: string): string[] {
  return [...nestingFaults(markup), ...idFaults(markup), ...inlineFaults(markup), ...frameFaults(markup)];
}

function nestingFaults(markup: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  for (const [, slash, name = '', rest = ''] of markup.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:"[^"]*"|[^">])*)>/g)) {
    const parent = open.at(-1) ?? '';
    if (slash === '/') {
      if (parent !== name) return [...faults, `</${name}> closes <${parent}>`];
      open.pop();
      continue;
    }
    if (BLOCKS.has(name) && open.includes('p')) faults.push(`<${name}> in a paragraph`);
    const allowed = PARENTS[name];
    if (allowed !== undefined && !allowed.includes(parent)) faults.push(`<${name}> in <${parent}>`);
    if (['a', 'button'].includes(name) && (open.includes('a') || open.includes('button'))) {
      faults.push(`<${name}> in something that can be pressed`);
    }
    if (!VOID.has(name) && !rest.endsWith('/')) open.push(name);
  }
  return open.length === 0 ? faults : [...faults, `left open: ${open.join(' ')}`];
}

function idFaults(markup: string): string[] {
  const ids = [...markup.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]!);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  const named = [...markup.matchAll(/\s(?:for|aria-labelledby|aria-describedby|aria-controls)="([^"]*)"/g)];
  const lost = named.flatMap((match) => match[1]!.split(' ')).filter((id) => !ids.includes(id));
  return [...twice.map((id) => `the id ${id} twice`), ...lost.map((id) => `no id ${id}`)];
}

/** A block of data, which no browser runs. */
const DATA_BLOCK = '<script type="application/ld+json">';

function inlineFaults(markup: string): string[] {
  const tags = markup.match(/<[a-zA-Z](?:"[^"]*"|[^">])*>/g) ?? [];
  return tags.filter(
    (tag) =>
      /^<style\b/i.test(tag) ||
      (/^<script(?![^>]*\ssrc=)/i.test(tag) && tag !== DATA_BLOCK) ||
      /\s(?:style|on[a-z]+)\s*=/i.test(tag),
  );
}

function frameFaults(markup: string): string[] {
  const headings = [...markup.matchAll(/<h([1-6])\b/g)].map((match) => Number(match[1]));
  return [
    ...(/^<!doctype html>\s*<html lang="en">/.test(markup) ? [] : ['no doctype or language']),
    ...(/<title>[^<]+<\/title>/.test(markup) ? [] : ['no title']),
    ...(headings.filter((level) => level === 1).length === 1 ? [] : ['not one h1']),
    ...(headings[0] === 1 ? [] : ['a heading before the h1']),
    ...headings.flatMap((level, place) =>
      place > 0 && level > headings[place - 1]! + 1 ? [`h${level} after h${headings[place - 1]}`] : [],
    ),
  ];
}
