/**
 * Order of two strings by their UTF-8 bytes, without encoding them. UTF-16 code units give the same order except that
 * surrogates (code points from U+10000) come before U+E000..U+FFFF; the shift puts them behind.
 */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return shifted(left) - shifted(right);
  }
  return a.length - b.length;
}

function shifted(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

const BEHIND_SURROGATES = /[\ud800-\uffff]/;

/** Sorts strings in place by their UTF-8 bytes. The engine's own order is the same unless a text has a surrogate. */
export function sortUtf8(strings: string[]): string[] {
  return strings.some((text) => BEHIND_SURROGATES.test(text)) ? strings.sort(compareUtf8) : strings.sort();
}
