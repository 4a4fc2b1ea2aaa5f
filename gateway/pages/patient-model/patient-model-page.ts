import type { OperationOutput } from '../../../contract/operation.ts';
import { getPatientModel, getPatientModelReferences } from '../../../contract/operations/twin-patient-model.ts';
import { pageOf } from '../../../contract/pages.ts';
import { unknownParameter } from '../../../server-kit/parameters.ts';
import { subjectLinked } from '../board/names.ts';
import { type Html, html } from '../html.ts';
import type { Page, PageRequest } from '../page.ts';
import { facts, table } from '../parts.ts';
import { branchSection, referenceSection } from './references.ts';

type Contract = OperationOutput<typeof getPatientModel>;

/**
 * The public contract for people. It takes no input: there is no form, and a parameter is refused without repeating its
 * name or value, which might be about a person.
 */
export const patientModelPage: Page = {
  id: 'page-patient-model',
  async respond({ query, reads }: PageRequest) {
    if (query.size > 0) throw unknownParameter([]);
    const [{ data }, { data: current }] = await Promise.all([
      reads.read(getPatientModel),
      reads.read(getPatientModelReferences),
    ]);
    return {
      title: 'Patient model',
      main: html`<p>${data.scope}</p>
<p class="notice" role="note"><strong>Nothing of a person is taken here.</strong> This page has no form and takes no parameter. Send no data of a person to this service by any way: nothing here could hold it.</p>
${facts([
  ['Version', html`<code>${data.version}</code>`],
  ['Status', data.status],
  ['On the board', subjectLinked('objective', data.objectiveId)],
])}
${privateInterface(data)}
${inventory(data)}
${modules(data)}
${branchSection(data.branches, current)}
${referenceSection(current)}
${tasks(data)}
<section aria-labelledby="rules">
<h2 id="rules">Rules</h2>
<ul>${data.rules.map((rule) => html`<li>${rule}</li>`)}</ul>
</section>`,
      calls: [getPatientModel.path, getPatientModelReferences.path],
    };
  },
};

function privateInterface({ privateApi }: Contract): Html {
  return html`<section aria-labelledby="private">
<h2 id="private">The private interface is not deployed</h2>
<p>A private model of one person would be open to ${privateApi.access} alone. No part of it is in this deployment: everything under <code>${privateApi.base}</code> but <a href="${privateApi.contract}">its guide</a> is refused, and <a href="${privateApi.login}">${privateApi.login}</a> and <a href="${privateApi.signup}">${privateApi.signup}</a> say the same.</p>
</section>`;
}

function inventory({ inventorySchema, dataRequirements }: Contract): Html {
  const values = [...new Set(Object.values(inventorySchema.properties).flatMap((property) => property.enum))];
  return html`<section aria-labelledby="inventory">
<h2 id="inventory">What kinds of data a model would need</h2>
<p>The inventory has these ${dataRequirements.length} keys and no other. Over the API each may be stated as ${values.map((value, place) => html`${place > 0 && (place === values.length - 1 ? ' or ' : ', ')}<code>${value}</code>`)}, which says that a kind of data exists and holds no value of it; what is not stated is unknown.</p>
${table(
  'The keys of the inventory',
  [
    { head: 'Key', cell: ({ id }) => html`<code class="whole">${id}</code>` },
    { head: 'What it is for', cell: ({ purpose }) => purpose },
    { head: 'What has to be there, or stated as missing', cell: ({ fields }) => fields.join(', ') },
    { head: 'Rule', cell: ({ rule }) => rule },
  ],
  dataRequirements,
)}
</section>`;
}

function modules({ modules: all }: Contract): Html {
  return html`<section aria-labelledby="modules">
<h2 id="modules">Modules</h2>
${table(
  'Modules, in a fixed order that ranks nothing',
  [
    { head: 'Module', cell: ({ id, title }) => html`${title} <code>${id}</code>` },
    { head: 'Question', cell: ({ question }) => question },
    {
      head: 'Needs',
      cell: ({ needs }) => html`${needs.map((need, place) => html`${place > 0 && ', '}<code>${need}</code>`)}`,
    },
  ],
  all,
)}
<p>The coarse model of a population of beta cells can be run in public: <a href="${pageOf('page-beta-cell').path}">Beta cell</a>.</p>
</section>`;
}

function tasks({ tasks: all, objectiveId }: Contract): Html {
  return html`<section aria-labelledby="tasks">
<h2 id="tasks">Open tasks</h2>
<p>Done in public with published or synthetic data; results are findings of the objective <code>${objectiveId}</code>.</p>
${all.map(
  ({ id, title, deliverable, falsifiedIf, prompt, endpoints }) => html`<h3 id="task-${id}">${title}</h3>
${facts([
  ['Task', html`<code>${id}</code>`],
  ['Deliverable', deliverable],
  ['Falsified if', falsifiedIf],
  ['What an agent is told', prompt],
  ['Begins with', html`<ul>${endpoints.map((call) => html`<li><code>${call}</code></li>`)}</ul>`],
])}`,
)}
</section>`;
}
