const QUOTE = '\\n\\r\'"`<>|';
/** Ends a path where a blank or the end follows. */
const STOP = '[;:,.)!?]+(?=\\s|$)';
/** A character of a word, and of the name of a folder, which may have blanks and brackets in it. */
const SOLID = `(?:(?!${STOP})[^\\s/\\\\${QUOTE}])`;
const LOOSE = `(?:(?![;:,.!?]+(?:\\s|$))[^/\\\\${QUOTE}])`;
const FOLDER = `(?:${SOLID}(?:${LOOSE}{0,255}(?:${SOLID}|\\)))?)?[/\\\\]`;
const SLASH = '[/\\\\]';
const ADDRESS = `(?<![A-Za-z0-9])https?:\\/\\/(?:(?!${STOP})[^\\s${QUOTE}])+`;
/** What stands before the first folder of a path that has a root. */
const ROOT = `(?:--[a-z-]+=)?[([{]*(?:[a-z][a-z0-9+.-]*:|~|\\.\\.?)?${SLASH}`;
/** Every word matches, so that no character is tried twice. */
const PARTS = new RegExp(`(${ADDRESS})|${ROOT}(?:${FOLDER})*${SOLID}*|(?:${SOLID}|${SLASH})+`, 'gi');

/**
 * A text in which every path of the machine is its last part, so that it can be public. Addresses of http and https
 * stay, without user, password and query. A path with blanks in it is read to its last slash: rather a word too many goes
 * than that the name of a folder stays.
 */
export function withBaseNames(text: string): string {
  return text.replaceAll(PARTS, (part, address: string | undefined) => {
    if (address !== undefined) return publicAddress(address);
    // Two numbers with a slash between them are a share or a date.
    return !/[/\\]/.test(part) || /^\d+(?:\/\d+)+$/.test(part) ? part : baseNameOf(part);
  });
}

/** An option or an opening bracket before the path is no part of it. */
function baseNameOf(path: string): string {
  const before = /^(?:--[a-z-]+=)?[([{]*/.exec(path)![0];
  const name = path
    .slice(before.length)
    .split(/[/\\]+/)
    .findLast((part) => part !== '');
  return `${before}${name ?? ''}`;
}

function publicAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? '' : `${url.protocol}//${url.host}${url.pathname}`;
}
