/** Readable text of a page: what a reader meets, one line a block, without class names and markup. */

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name]!);

/** Elements that begin a line of their own, with what stands before their text. */
const LINES: Record<string, string> = {
  ...{ h1: '# ', h2: '## ', h3: '### ', h4: '#### ', li: '- ', dt: '* ', dd: '  = ', summary: '> ' },
  ...{ p: '', div: '', section: '', figure: '', figcaption: '', pre: '', tr: '', caption: 'table: ', nav: 'nav: ' },
  ...{
    header: '',
    footer: '',
    main: '',
    aside: '',
    form: '',
    ul: '',
    ol: '',
    dl: '',
    table: '',
    details: '',
    article: '',
  },
};

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

/** A form's own line, and that of each of its fields, with the values that it would send. */
function fieldText(name: string, tag: string): string | undefined {
  if (name === 'form') return `\nform ${attribute(tag, 'method') ?? 'get'} ${attribute(tag, 'action') ?? ''}\n`;
  if (name === 'input' || name === 'textarea') {
    const kind = name === 'input' ? (attribute(tag, 'type') ?? 'text') : name;
    const value = attribute(tag, 'value');
    const states = ['checked', 'aria-invalid="true"'].filter((state) => tag.includes(` ${state}`));
    return `\n  [${[kind, attribute(tag, 'name'), value === undefined ? null : `"${value}"`, ...states].filter((part) => part).join(' ')}] `;
  }
  return undefined;
}

/** A choice by the option that is chosen and the number of all; a list of suggestions by its number alone. */
function choiceText(tag: string, name: string, options: string): string {
  const all = [...options.matchAll(/<option\b([^>]*)>([^<]*)/g)];
  const chosen = all.find(([, given]) => / selected\b/.test(given!)) ?? all[0];
  const shown = name === 'select' ? ` "${chosen?.[2]?.trim()}"` : '';
  return `\n  [${name} ${attribute(tag, 'name') ?? ''}${shown} of ${all.length}] `;
}

/** Links to places on the page itself are left out, the address of every other stands behind its words. */
function linkEnd(open: string[]): string {
  const href = open.pop() ?? '';
  return href === '' || href.startsWith('#') ? '' : ` (${href})`;
}

export function pageText(markup: string): string {
  const links: string[] = [];
  const pictures = markup.replaceAll(/<svg\b([^>]*)>[\s\S]*?<\/svg>/g, (_, given: string) => {
    const label = attribute(given, 'aria-label');
    return label === undefined ? ' ' : `<p>[picture: ${label.replaceAll('<', '&lt;')}]</p>`;
  });
  const choices = pictures.replaceAll(
    /<(select|datalist)\b([^>]*)>([\s\S]*?)<\/\1>/g,
    (_, name: string, tag: string, options: string) => choiceText(tag, name, options),
  );
  const text = choices.replaceAll(
    /<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)>/g,
    (tag, slash: string, name: string) => {
      if (name === 'a') {
        if (slash === '/') return linkEnd(links);
        links.push(attribute(tag, 'href') ?? '');
        return '';
      }
      if (name === 'br') return '\n';
      if (name === 'th' || name === 'td') return slash === '/' ? '' : ' | ';
      if (slash === '/') return name in LINES ? '\n' : '';
      return fieldText(name, tag) ?? (name in LINES ? `\n${LINES[name]}` : '');
    },
  );
  return unescaped(text)
    .split('\n')
    .map((line) => line.replaceAll(/[^\S\n]+/g, ' ').trim())
    .filter((line) => line !== '' && line !== '-')
    .join('\n');
}
