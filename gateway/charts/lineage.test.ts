import { describe, expect, it } from 'vitest';
import { lineageChart } from './lineage.ts';

const RELATIONS = ['replicates', 'extends', 'contradicts', 'supersedes', 'depends_on'];
const node = (id: string, layer: number, name = id) => ({ id, name, note: 'received', layer });
const drawn = (nodes: ReturnType<typeof node>[], edges: { fromId: string; toId: string; relation: string }[]) =>
  lineageChart({ nodes, edges, relations: RELATIONS }, { label: 'a "label" & <more>' });

describe('the picture of a lineage', () => {
  it('leads a bow from the one that answers to the one that it is about, and names its relation', () => {
    const svg = drawn([node('own', 0), node('above', -1)], [{ fromId: 'own', toId: 'above', relation: 'depends_on' }]);
    expect(svg).toContain('<path d="M104 79C56 79 56 33 88 33" fill="none"');
    expect(svg).toContain('marker-end="url(#lineage-head-4)"');
    expect(svg).toContain('>depends on</text>');
    expect(svg).not.toContain('>extends</text>');
  });

  it('escapes names and label, and needs no script and no style', () => {
    const svg = drawn([node('own', 0, '<script>alert(1)</script>')], []);
    expect(svg).toContain('&lt;script&gt;alert(1)');
    expect(svg).toContain('aria-label="a &quot;label&quot; &amp; &lt;more&gt;"');
    expect(svg).not.toMatch(/<script|style=/);
  });
});
