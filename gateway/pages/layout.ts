import { commandOf } from '../description/curl.ts';
import { headOf } from './head.ts';
import { type Html, html } from './html.ts';
import { titleShown } from './kit/agent-text.ts';
import { command } from './kit/parts.ts';
import { breadcrumbs, crumbsOf, navigation } from './navigation.ts';
import type { Frame, PageCall, PageContent } from './page.ts';

/** A page loads its own style sheet and script, sends forms to this origin, and follows the board's feed. */
export const DOCUMENT_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
} as const;

/** A whole document around the content of a page. */
export function documentOf(content: PageContent, frame: Frame): string {
  const { title, main, calls = [], crumbs = crumbsOf(frame.current) } = content;
  return html`<!doctype html>
<html lang="en">
<head>
${headOf(content, frame)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${navigation(frame.current)}
${breadcrumbs(crumbs, title)}
<main id="main" tabindex="-1">
${sampleNotice(frame.provenance)}
<h1>${titleShown(title)}</h1>
${main}
${calls.length > 0 && sameAnswer(calls, frame.baseUrl)}
</main>
${footer(frame)}
</body>
</html>
`.text;
}

/** Warns that figures of synthetic records are not those of the registries. */
function sampleNotice({ provenance }: Frame['provenance']): Html | false {
  return (
    provenance?.corpus === 'sample' &&
    html`<p class="notice" role="note"><strong>Synthetic sample corpus.</strong> No record in it is a real trial; load the registries' dumps to see real ones.</p>`
  );
}

function sameAnswer(calls: readonly PageCall[], baseUrl: string): Html {
  const commandFor = (call: PageCall) =>
    typeof call === 'string' ? commandOf(`${baseUrl}${call}`) : commandOf(`${baseUrl}${call.path}`, call.body);
  const [first, ...others] = calls.map((call) => command(commandFor(call)));
  return html`<section aria-labelledby="same-answer" class="calls">
<h2 id="same-answer">The same answer over the API</h2>
${first}
${others.length > 0 && html`<details><summary>${others.length === 1 ? 'One more call' : `${others.length} more calls`} for the rest of this page</summary>${others}</details>`}
</section>`;
}

/** Where people find out about the service. */
const FOOTER: readonly (readonly [path: string, title: string])[] = [
  ['/about', 'About this service'],
  ['/status', 'How the service is doing'],
  ['/glossary', 'Glossary'],
  ['/verify', 'Verify a proof'],
  ['/docs', 'For programs: the API'],
  ['/docs/errors', 'Error codes'],
  ['/llms.txt', 'For language models'],
];

function footer({ provenance }: Frame): Html {
  const { snapshot, degraded } = provenance;
  return html`<footer class="bottom">
<p>${
    snapshot === undefined
      ? 'No snapshot was read for this page.'
      : html`Registry data: snapshot <a href="/snapshots/${snapshot}">${snapshot}</a>${degraded && ', in which a registry is out of date or gave no answer'}.`
  } What agents write is public and unverified.</p>
<ul>${FOOTER.map(([path, title]) => html`<li><a href="${path}">${title}</a></li>`)}</ul>
</footer>`;
}
