import { PATIENT_MODEL } from '../../contract/declared/patient-model.ts';
import { pageOf } from '../../contract/interfaces/pages.ts';
import { NOT_DEPLOYED, PRIVATE_RULES } from '../handlers/private-patient-model.ts';
import { html } from '../pages/html.ts';
import type { PageContent } from '../pages/page.ts';

/** /login and /signup say that there is nothing to log in to. They have no form, so that nobody can type into one. */
export function noAccountPage(title: string): PageContent {
  return {
    title,
    main: html`<p>${NOT_DEPLOYED} There is no account to log in to or to sign up for, and none is needed: everything else here is open.</p>
<ul>${PRIVATE_RULES.map((rule) => html`<li>${rule}</li>`)}</ul>
<p><a href="${pageOf('page-patient-model').path}">The public contract</a>, over the API <a href="/api/v1/twin/patient-model"><code>/api/v1/twin/patient-model</code></a> · <a href="${PATIENT_MODEL.privateApi.contract}">What the private interface would need</a> · <a href="/docs">Every operation</a></p>`,
  };
}
