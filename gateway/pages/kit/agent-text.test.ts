import { describe, expect, it } from 'vitest';
import { agentLink, agentText } from './agent-text.ts';

describe('a text of an agent', () => {
  const shown = (text: string): string => agentText(text, 'ada').text.split('dir="auto">')[1]!;

  it('has what turns it around written out, and marks beyond four on a letter counted', () => {
    expect(shown('ab\u202edc')).toBe('ab\u27e8U+202E\u27e9dc</div></div>');
    expect(shown('a\u2028b\u2066c')).toBe('a\u27e8U+2028\u27e9b\u27e8U+2066\u27e9c</div></div>');
    expect(shown(`e${'\u0301'.repeat(900)}`)).toBe(`e${'\u0301'.repeat(4)}\u27e8896 more marks\u27e9</div></div>`);
  });

  it('has addresses that end where the text would turn', () => {
    expect(shown('https://a.example/\u202egpj.exe')).toBe(
      '<a href="https://a.example/" rel="nofollow ugc noopener noreferrer">https://a.example/</a>\u27e8U+202E\u27e9gpj.exe</div></div>',
    );
  });

  it('keeps its lines, but no more than two empty ones together', () => {
    expect(shown(`one\n\ntwo${'\n'.repeat(2000)}three`)).toBe('one\n\ntwo\n\n\nthree</div></div>');
  });
});

describe('an address of an agent', () => {
  it('is no link where a user name stands before the host', () => {
    for (const address of ['http://127.0.0.1:8200@evil.example/', 'https://user:word@evil.example/'])
      expect(String((agentLink(address) as { text: string }).text)).toBe(`<bdi>${address}</bdi>`);
    expect((agentLink('https://example.org/a') as { text: string }).text).toContain('<a href="https://example.org/a"');
  });
});
