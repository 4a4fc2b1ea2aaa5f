import { describe, expect, it } from 'vitest';
import { mainOf } from '../support/checks/main-of.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

const PAGE = '/patient-model';

const origin = ofFile(() => openOrigin());

describe('the patient-model page', () => {
  it('says what it is, that nothing of a person is taken, and that the private interface is not deployed', async () => {
    const { status, text } = await readPage(origin, PAGE);
    expect(status).toBe(200);
    expect(text).toContain('It is no diagnosis, no dose and no prognosis.');
    expect(text).toContain('This page takes no data about a person.');
    expect(text).toContain('t1d-private-research-1.0.0');
    expect(text).toContain('The private interface is not deployed');
  });

  it('takes nothing: its content has no form, no field and no script', async () => {
    const { markup } = await readPage(origin, PAGE);
    expect(mainOf(markup)).not.toMatch(/<(form|input|select|textarea|button|script)/i);
  });

  it('has every reference with its date and its sources, and a branch leads to each of its own', async () => {
    const { data } = (await origin.get('/api/v1/twin/patient-model/references')).body;
    const { text, markup } = await readPage(origin, PAGE);
    expect(text).toContain(`References (${data.references.length})`);
    expect(text).toContain('Reviewed on 2026-11-21');
    expect(text).toContain('Before you rely on them look for newer work');
    expect(text).toContain(
      'Effect of Verapamil on Pancreatic Beta Cell Function in Newly Diagnosed Pediatric Type 1 Diabetes',
    );
    expect(markup).toContain('<a href="https://pubmed.ncbi.nlm.nih.gov/36826844/">PMID 36826844</a>');
    expect(markup).toContain('<a href="https://doi.org/10.1001/jama.2023.2064">doi 10.1001/jama.2023.2064</a>');
    const anchors = [...markup.matchAll(/href="#(reference-[^"]+)"/g)].map(([, anchor]) => anchor!);
    expect(anchors.length).toBeGreaterThan(15);
    expect(anchors.filter((anchor) => !markup.includes(`<li id="${anchor}">`))).toEqual([]);
  });

  it.each([`${PAGE}?hba1c=7.1&name=Zebulon`, `${PAGE}?clinical=available`, `${PAGE}?Zebulon`, `${PAGE}?=7.1`])(
    'refuses a parameter without repeating it: %s',
    async (path) => {
      const { status, text, markup } = await readPage(origin, path);
      expect(status).toBe(400);
      expect(text).toContain('A parameter was sent that is not taken here; nothing of it was kept.');
      expect(markup).not.toMatch(/hba1c|7\.1|Zebulon|=available/);
    },
  );
});
