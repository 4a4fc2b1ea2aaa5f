import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../contract/errors/errors.ts';
import { PROTOCOL_ERRORS } from '../../contract/errors/protocol.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

const origin = ofFile(() => openOrigin());

/** The example answer of a page, with its correlation id. */
function exampleIn(markup: string): Record<string, unknown> {
  const [, shown = ''] = /<h2>An answer with it<\/h2>\n<pre><code>([^<]*)<\/code>/.exec(markup) ?? [];
  return JSON.parse(
    shown.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );
}

const codes = [...ERROR_CODES, ...PROTOCOL_ERRORS.map(({ name }) => name)];

describe('an error code', () => {
  it('has a page each, in whole HTML, and one that lists them all', async () => {
    const list = await readPage(origin, '/docs/errors');
    expect([list.status, markupFaults(list.markup)]).toEqual([200, []]);
    const linked = [...list.markup.matchAll(/<a href="\/docs\/errors\/(\w+)"><code>/g)].map((match) => match[1]);
    expect(linked.sort()).toEqual([...codes].sort());
    for (const code of codes) {
      const { status, markup } = await readPage(origin, `/docs/errors/${code}`);
      expect([code, status, markupFaults(markup)]).toEqual([code, 200, []]);
      expect(markup).toContain(`<h1>${code}</h1>`);
    }
  });

  it('shows an answer as the service gives it', async () => {
    const { body } = await origin.get('/api/v1/trials/search?pageSize=0');
    const { markup } = await readPage(origin, '/docs/errors/INVALID_PARAM');
    const shown = exampleIn(markup) as { error: Record<string, unknown> };
    expect({ ...shown.error, correlationId: body.error.correlationId }).toEqual(body.error);
    expect(exampleIn((await readPage(origin, '/docs/errors/DB_ERROR')).markup)).toMatchObject({
      error: { code: 'DB_ERROR', retryable: true, retryAfterSeconds: 5 },
    });
    const refused = await origin.send('/api/v1/a2a', { jsonrpc: '2.0', id: 1, method: 'none' });
    const protocol = exampleIn((await readPage(origin, '/docs/errors/MethodNotFound')).markup) as typeof shown;
    expect(protocol.error.data).toEqual({ ...refused.body.error.data, correlationId: expect.any(String) });
  });

  it.each(['NO_SUCH_CODE', 'constructor', '__proto__', 'invalid_param'])('%s is none', async (code) => {
    expect((await readPage(origin, `/docs/errors/${code}`)).status).toBe(404);
  });
});

it('the hint of a failure is in the catalogue beside the address', async () => {
  const { errors } = (await origin.get('/api/v1/errors')).body.data;
  for (const { code, page, hint } of errors) {
    expect(page).toBe(`/docs/errors/${code}`);
    expect(hint).not.toContain('More:');
  }
});
