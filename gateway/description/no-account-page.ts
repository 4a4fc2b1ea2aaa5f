import { PATIENT_MODEL_PATH, PRIVATE_API } from '../../contract/patient-model.ts';
import { NOT_DEPLOYED, PRIVATE_RULES } from '../handlers/private-patient-model.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { Html, html } from './html.ts';

/** /login and /signup: that there is nothing to log in to. Without a form, so that nothing can be typed into it. */
export function noAccountPage(title: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: not part of this deployment</title>
<style>${new Html(DOCS_STYLE)}</style>
</head>
<body>
<div class="page">
<main id="main">
<h1>${title}</h1>
<p>${NOT_DEPLOYED} There is no account to log in to or to sign up for, and none is needed: everything else here is open.</p>
<ul>${PRIVATE_RULES.map((rule) => html`<li>${rule}</li>`)}</ul>
<p><a href="${PATIENT_MODEL_PATH}">The public contract</a> · <a href="${PRIVATE_API.contract}">What the private interface would need</a> · <a href="/docs">Every operation</a></p>
</main>
</div>
</body>
</html>
`.text;
}
