import { pageOf } from '../../../contract/interfaces/pages.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import {
  getPatientModel,
  getPatientModelReferences,
} from '../../../contract/operations/research/twin-patient-model.ts';
import type { CurrentReferences, PatientReference } from '../../../contract/schemas/research/patient-model.ts';
import { unknownParameter } from '../../../server-kit/parameters.ts';
import { type Html, html } from '../html.ts';
import { chart } from '../kit/chart.ts';
import { type Column, record, section, table } from '../kit/parts.ts';
import { code, instant, joined, list } from '../kit/words.ts';
import type { Page, PageRequest } from '../page.ts';
import { patientNeedsPicture } from '../pictures/patient-model.ts';
import { subjectLinked } from '../words/names.ts';
import { doiAddress, pubmedAddress } from '../words/trials.ts';

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
      main: html`<p>${data.scope}</p>
<p class="notice" role="note"><strong>This page takes no data about a person.</strong> It has no form and no parameters. Never send data about a person to this service: no part of it could store them.</p>
${record([
  ['Version', code(data.version)],
  ['On the board', subjectLinked('objective', data.objectiveId)],
])}
${privateInterface(data)}
${inventory(data)}
${modules(data)}
${branchSection(data.branches, current)}
${referenceSection(current)}
${tasks(data)}
${section('rules', 'Rules', list(data.rules))}`,
      calls: [getPatientModel.path, getPatientModelReferences.path],
    };
  },
};

function privateInterface({ privateApi }: Contract): Html {
  return section(
    'private',
    'The private interface is not deployed',
    html`<p>A private model of one person would be open only to ${privateApi.access}. No part of it is in this deployment: everything under <code>${privateApi.base}</code> except <a href="${privateApi.contract}">its guide</a> is refused, and <a href="${privateApi.login}">${privateApi.login}</a> and <a href="${privateApi.signup}">${privateApi.signup}</a> say the same.</p>`,
  );
}

function inventory({ inventorySchema, dataRequirements }: Contract): Html {
  const values = [...new Set(Object.values(inventorySchema.properties).flatMap((property) => property.enum))];
  return section(
    'inventory',
    'What kinds of data a model would need',
    html`<p>The inventory has exactly these ${dataRequirements.length} keys. Over the API, each may be stated as ${values.map((value, place) => html`${place > 0 && (place === values.length - 1 ? ' or ' : ', ')}<code>${value}</code>`)}, which says that a kind of data exists, without any value; a key that is not stated is unknown.</p>
<details><summary>The ${dataRequirements.length} keys</summary>
${table('The keys of the inventory', dataRequirements, [
  ['Key', ({ id }) => html`<code class="whole">${id}</code>`],
  ['What it is for', ({ purpose }) => purpose],
  ['Must be present, or stated as missing', ({ fields }) => fields.join(', ')],
  ['Rule', ({ rule }) => rule],
])}</details>`,
  );
}

function modules(data: Contract): Html {
  const { modules: all, dataRequirements } = data;
  const picture = patientNeedsPicture(data);
  const numbers = table('Which modules need which kinds of data', dataRequirements, [
    ['Kind of data', ({ id }) => html`<code class="whole">${id}</code>`],
    ...all.map(
      ({ title, needs }): Column<{ id: (typeof needs)[number] }> => [
        title,
        ({ id }) => (needs.includes(id) ? 'needed' : '–'),
      ],
    ),
  ]);
  return section(
    'modules',
    'Modules',
    html`${chart({ picture, table: numbers })}
<details><summary>The ${all.length} modules</summary>
${table('Modules, in a fixed order that ranks nothing', all, [
  ['Module', ({ id, title }) => html`${title} <code>${id}</code>`],
  ['Question', ({ question }) => question],
  ['Needs', ({ needs }) => joined(needs.map(code))],
])}</details>
<p>The coarse model of a population of beta cells can be run in public: <a href="${pageOf('page-beta-cell').path}">Beta cell</a>.</p>`,
  );
}

function tasks({ tasks: all, objectiveId }: Contract): Html {
  return section(
    'tasks',
    'Open tasks',
    html`<p>Done in public with published or synthetic data; results are findings of the objective <code>${objectiveId}</code>.</p>
${all.map(
  (task) => html`<details id="task-${task.id}"><summary>${task.title}</summary>
${record([
  ['Task', code(task.id)],
  ['Deliverable', task.deliverable],
  ['Falsified if', task.falsifiedIf],
  ['What an agent is told', task.prompt],
  ['Begins with', list(task.endpoints.map(code))],
])}</details>`,
)}`,
  );
}

type Branch = OperationOutput<typeof getPatientModel>['branches'][number];

/** Each branch, its end points, and what its references do not show. */
function branchSection(branches: readonly Branch[], current: CurrentReferences): Html {
  const years = new Map(current.references.map(({ id, publicationYear }) => [id, publicationYear]));
  const links = (ids: readonly string[]): Html | string =>
    ids.length === 0 ? 'none' : joined(ids.map((id) => html`<a href="#${anchorOf(id)}">${id}</a> (${years.get(id)})`));
  return section(
    'branches',
    'Branches',
    branches.map(({ id, title, idea, failsIf }) => {
      const sources = current.branches.find((branch) => branch.id === id);
      return html`<details><summary>${title}</summary>
${record([
  ['Branch', code(id)],
  ['Idea', idea],
  ['Fails if', failsIf],
  ['References', links(sources?.references ?? [])],
  ['To compare with', links(sources?.comparators ?? [])],
  ['What they do not show', sources?.note ?? 'not stated'],
])}</details>`;
    }),
  );
}

/** The dated references, each with its sources, and how to use them. */
function referenceSection(current: CurrentReferences): Html {
  const { id, scope, reviewedOn, nextReviewOn, references, referencePolicy: policy } = current;
  return section(
    'references',
    html`References (${references.length})`,
    html`<p>${scope}</p>
${record([
  ['Snapshot', code(id)],
  ['Reviewed on', instant(reviewedOn)],
  ['Next review', instant(nextReviewOn)],
  ['Before you rely on them', 'look for newer work: the list is renewed by people only'],
  ['Sources', policy.sources.join(', ')],
  ['Where to look for newer references', list(policy.endpoints.map((call) => code(`GET ${call}`)))],
  ['Rule', policy.rule],
])}
<ul class="cards">${references.map((reference) => html`<li id="${anchorOf(reference.id)}">${referenceCard(reference)}</li>`)}</ul>`,
  );
}

const anchorOf = (id: string): string => `reference-${id}`;

function referenceCard(reference: PatientReference): Html {
  const { id, title, publicationYear, sourceLevel, finding, immuneContext, use, unresolved, branches } = reference;
  return html`<details><summary>${title} (${publicationYear})</summary>
<p>${reference.reference}, ${publicationYear}. ${sourceLevel}. <code>${id}</code></p>
${record([
  ['Finding', finding],
  ['Immune context', immuneContext],
  ['Used here for', use],
  ['Unresolved', unresolved],
  ['Branches', branches.length === 0 ? 'none: it is about a measurement or the natural course' : branches.join(', ')],
  ['Sources', sources(reference)],
])}</details>`;
}

/** Only confirmed identifiers are shown. */
function sources({ pmid, doi, url, supportingUrl }: PatientReference): Html | string {
  const fromIds = [
    ...(pmid === undefined ? [] : [[pubmedAddress(pmid), `PMID ${pmid}`] as const]),
    ...(doi === undefined ? [] : [[doiAddress(doi), `doi ${doi}`] as const]),
  ];
  const addresses = new Set<string>(fromIds.map(([address]) => address));
  const others = [url, supportingUrl].filter((address) => address !== undefined && !addresses.has(address));
  const all = [...fromIds, ...others.map((address) => [address!, address!] as const)];
  return all.length === 0
    ? 'no identifier was confirmed'
    : joined(all.map(([address, words]) => html`<a href="${address}">${words}</a>`));
}
