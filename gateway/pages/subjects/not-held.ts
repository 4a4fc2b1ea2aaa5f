import { type Html, html } from '../html.ts';
import type { PageContent } from '../page.ts';

interface NotHeld {
  /** What was asked for, as it stands in the address. */
  name: string;
  /** "sponsor", "condition" or "country". */
  kind: string;
  /** Pages of near names, each a whole line. */
  near: readonly Html[];
  index: { title: string; href: string };
}

/** A page that says that nothing is held under a name, and leads to near ones. */
export function notHeld({ name, kind, near, index }: NotHeld): PageContent {
  return {
    title: `No such ${kind} here`,
    status: 404,
    main: html`<p>No trial of this index has the ${kind} “<bdi>${name}</bdi>”. That does not prove that there is none: the index holds only two registries, as they were on the day of the snapshot.</p>
${near.length > 0 && html`<h2>Near names</h2><ul>${near.map((one) => html`<li>${one}</li>`)}</ul>`}
<p><a href="${index.href}">${index.title}</a> or <a href="/trials?q=${encodeURIComponent(name)}">search all texts for it</a>.</p>`,
  };
}
