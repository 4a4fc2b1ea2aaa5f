import { describe, expect, it } from 'vitest';
import { agentLine, agentLink, agentText, shownName, titleShown, titleWith } from './agent-text.ts';

describe('a text of an agent', () => {
  it('has what turns it around written out, and marks beyond four on a letter counted', () => {
    expect(shown('ab\u202edc')).toBe('ab\u27e8U+202E\u27e9dc</div></div>');
    expect(shown('a\u2028b\u2066c')).toBe('a\u27e8U+2028\u27e9b\u27e8U+2066\u27e9c</div></div>');
    expect(shown(`e${'\u0301'.repeat(900)}`)).toBe(`e${'\u0301'.repeat(4)}\u27e8896 more marks\u27e9</div></div>`);
  });

  // Tried from each blank anew it would not end within the patience of any test.
  it('of a million blanks is read once', () => {
    const blanks = ' '.repeat(1_000_000);
    expect(shown(`a${blanks}b`)).toBe(`a${blanks}b</div></div>`);
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

it('an address of an agent is no link where a user name stands before the host', () => {
  for (const address of ['http://127.0.0.1:8200@evil.example/', 'https://user@evil.example/'])
    expect(String((agentLink(address) as { text: string }).text)).toBe(`<bdi>${address}</bdi>`);
  expect((agentLink('https://example.org/a') as { text: string }).text).toContain('<a href="https://example.org/a"');
});

it('a title that ends with words of an agent keeps them from turning what is around, by marks in a document title and by an element elsewhere', () => {
  const title = titleWith('Finding', 'ab\u202edc');
  expect(title).toBe('Finding: \u2068abdc\u2069');
  expect(titleShown(title).text).toBe('Finding: <bdi>abdc</bdi>');
  expect(titleShown('Finding: \u2068<b>cut').text).toBe('Finding: <bdi>&lt;b&gt;cut</bdi>');
  expect(titleShown('Trials').text).toBe('Trials');
});

describe('what looks empty', () => {
  it('is written out in a name', () => {
    expect(shownName('\u2800\u3164')).toBe('\u27e8U+2800\u27e9\u27e8U+3164\u27e9');
    expect(shownName('ada\u00a0b c')).toBe('ada\u27e8U+00A0\u27e9b c');
  });

  it.each(['\u2800', '\u3164\u115f\u3000', '\u200b \u00ad', ''])('is said of a line and a text of %j', (text) => {
    expect(agentLine(text, 80)).toBe('(nothing that can be seen)');
    expect(shown(text)).toBe('(nothing that can be seen)</div></div>');
  });
});

function shown(text: string): string {
  return agentText(text, 'ada').text.split('dir="auto">')[1]!;
}
