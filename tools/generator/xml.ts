import { ENTITIES } from '../../contract/markup.ts';

/** Text in XML as the registry writes it: it leaves an apostrophe as it is. */
export function escapeXml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] as string) : text;
}

/** An element with text; without text it closes itself, as the registry writes it. */
export function element(name: string, text: string): string {
  return text === '' ? `<${name}/>` : `<${name}>${escapeXml(text)}</${name}>`;
}

export function attributes(values: Readonly<Record<string, string>>): string {
  let text = '';
  for (const [name, value] of Object.entries(values)) text += ` ${name}="${escapeXml(value)}"`;
  return text;
}

/** The markup when the condition holds, else nothing: an element that is absent, not empty. */
export function optional(present: boolean, markup: () => string): string {
  return present ? markup() : '';
}
