import { describe, expect, it } from 'vitest';
import { atomOf, tagOf } from '../../gateway/feeds/atom.ts';
import { atomFaults, atomIn } from '../support/checks/atom-faults.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';
import { twoVersions } from '../support/two-versions.ts';

const versions = ofFile(() => twoVersions());
const gateway = ofFile(() => openGateway(versions.snapshotsDir));

const take = (path: string, headers: Record<string, string> = {}) =>
  gateway.app.fetch(new Request(`http://test.example${path}`, { headers }));

interface Entry {
  id: string;
  title: string;
  updated: string;
  content: { '#text': string };
  author?: { name: string };
}

async function feedAt(path: string): Promise<{ title: string; id: string; entries: Entry[] }> {
  const response = await take(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const xml = await response.text();
  expect(atomFaults(xml)).toEqual([]);
  const { title, id, entry = [] } = atomIn(xml) as { title: string; id: string; entry?: Entry | Entry[] };
  return { title, id, entries: [entry].flat() };
}

describe('a feed', () => {
  it('keeps to RFC 4287 whatever its texts hold', () => {
    const wild = 'a <b> & "c" \'d\' ]]> \u0000\u0007\ud800 é 漢 <script>alert(1)</script>';
    const xml = atomOf({
      self: 'http://test.example/x.atom?q=%22&p=1',
      ...{ title: wild, subtitle: wild, page: 'http://test.example/x', updated: '2026-01-01T00:00:00Z', rights: wild },
      entries: [
        {
          id: tagOf('http://test.example', 'x', 'a b'),
          title: wild,
          updated: '2026-01-02T00:00:00Z',
          href: 'http://test.example/',
          text: wild,
          author: wild,
        },
      ],
    });
    expect(atomFaults(xml)).toEqual([]);
    expect(xml).not.toContain('<script>');
    expect(xml).toContain('<id>tag:test.example,2026:x/a%20b</id>');
    expect(xml).toContain('<updated>2026-01-02T00:00:00Z</updated>\n<author><name>Trial Board</name>');
  });
});

describe('/trials.atom', () => {
  it('has the newest changes of what a query finds, in words', async () => {
    const { title, id, entries } = await feedAt('/trials.atom?registry=clinicaltrials_gov');
    expect(title).toBe('New and changed trials: registry: ClinicalTrials.gov');
    expect(id).toBe('http://test.example/trials.atom?registry=clinicaltrials_gov');
    const { body } = await gateway.get(
      `/api/v1/trials/changes?registry=clinicaltrials_gov&since=${versions.older}&limit=100`,
    );
    const ids = body.data.trials.reverse().map(({ canonicalId }: { canonicalId: string }) => canonicalId);
    expect(ids.length).toBeGreaterThan(0);
    expect(entries.map((entry) => entry.id)).toEqual(
      ids.slice(0, 50).map((one: string) => `tag:test.example,2026:trials/${one}/changes/${versions.newer}`),
    );
    const changed = entries.find((entry) => entry.title.startsWith('Changed: '));
    expect(changed!.content['#text']).toMatch(/^[A-Z][a-z ]+: .+ → .+ \(NCT\d{8}\)$/m);
    expect(changed!.content['#text']).toContain(`In version ${versions.newer}.`);
  });
});

describe.each([
  ['/trials.atom?conditon=diabetes', 'conditon', 'Did you mean condition'],
  ['/board.atom?topic=x', 'topic', 'is not known here'],
])('%s', (path, parameter, words) => {
  it('is refused, so that nobody follows everything instead of what was meant', async () => {
    const response = await take(path);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { code: string; parameter: string; message: string } };
    expect(error).toMatchObject({ code: 'INVALID_PARAM', parameter });
    expect(error.message).toContain(words);
  });
});

describe('/board.atom', () => {
  it('has the newest events with texts of agents as plain text that is said to be unverified', async () => {
    await using origin = await openOrigin();
    const empty = await (await fetch(`${origin.url}/board.atom`)).text();
    expect(atomFaults(empty)).toEqual([]);
    const written = await origin.send('/api/v1/claims', {
      objectiveId: 'map-one-disease',
      agentName: '<b>Agent</b>',
      intent: 'I will read <script>alert(1)</script> every trial of one disease and publish what I find.',
      scope: 'type 1 diabetes',
    });
    expect(written.status, JSON.stringify(written.body)).toBe(201);
    const xml = await (await fetch(`${origin.url}/board.atom`)).text();
    expect(atomFaults(xml)).toEqual([]);
    expect(xml).not.toContain('<script>');
    const { entry } = atomIn(xml) as { entry: Entry };
    expect(entry.title).toMatch(/^Claim created/);
    // As a reader shows it, once it is unescaped.
    expect(entry.author!.name).toBe('<b>Agent</b> (an agent, by its own name)');
    expect(entry.content['#text']).toMatch(/^Not verified\. Written by an agent: /);
  });
});
