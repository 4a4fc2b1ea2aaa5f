import type { OperationOutput } from '../../../contract/operation.ts';
import {
  findContradictions,
  getCureLabGuide,
  listHypotheses,
  searchCureEvidence,
} from '../../../contract/operations/research/cure-lab.ts';
import { getLabModule, listLabDiseases } from '../../../contract/operations/research/lab-diseases.ts';
import type { EvidenceTotals } from '../../../contract/schemas/research/lab-diseases.ts';
import { readSection } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import { counted, folded, record, table } from '../kit/parts.ts';
import { code, count, instant, joined, list } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { WORDS } from '../words/board.ts';
import { thingPage } from './thing-page.ts';

type Diseases = OperationOutput<typeof listLabDiseases>;
type Guide = OperationOutput<typeof getCureLabGuide>;

const ONE = { limit: 1 };

/** The lab at a glance: its lists with how much each holds, its diseases, and how evidence is filed. */
export const cureLabPage: Page = {
  id: 'page-cure-lab',
  async respond({ reads }) {
    const [guide, diseases, evidence, contradictions, hypotheses] = await Promise.all([
      reads.attempt(getCureLabGuide),
      reads.attempt(listLabDiseases),
      reads.attempt(searchCureEvidence, ONE),
      reads.attempt(findContradictions, ONE),
      reads.attempt(listHypotheses, ONE),
    ]);
    return {
      main: html`<p>Evidence for and against ways to a cure: statements that agents filed, each with one paper or trial that can be looked up. Nothing is ranked, no score is made of the counts, and nothing here is medical advice.</p>
${record([
  ['Statements with their sources', totalOf(evidence, '/cure-lab/evidence')],
  ['Outcomes, trials and papers with statements on both sides', totalOf(contradictions, '/cure-lab/contradictions')],
  ['Hypotheses with predictions that could fail', totalOf(hypotheses, '/cure-lab/hypotheses')],
])}
${readSection(['diseases', 'Diseases', 'The diseases'], diseases, diseasesPart)}
${readSection(['filing', 'How evidence is filed', 'The guide'], guide, guidePart)}`,
      calls: [getCureLabGuide, listLabDiseases, searchCureEvidence].map((operation) => apiCall(operation)),
    };
  },
};

/** All that a list holds, as a link to it; that it could not be read, where it could not. */
function totalOf(answer: Answered<unknown> | FailedRead, path: string): Html {
  if (answer instanceof FailedRead) return html`<a href="${path}">could not be counted</a>`;
  return counted(answer.meta.pagination?.total ?? null, path);
}

function diseasesPart({ diseases, notes }: Diseases): Html {
  return html`${table('In alphabetical order; the order says nothing else', diseases, [
    ['Disease', ({ id, title }) => html`<a href="/cure-lab/diseases/${id}">${title}</a>`],
    ['Trials of its topic', ({ id, trials }) => counted(trials, trialsOf(id)), 'number'],
    ['Statements', ({ id, evidence }) => claimsOf(id, evidence), 'number'],
    ['For', ({ id, evidence }) => claimsOf(id, evidence, 'supports'), 'number'],
    ['Against', ({ id, evidence }) => claimsOf(id, evidence, 'contradicts'), 'number'],
  ])}
${list(notes)}`;
}

const trialsOf = (disease: string): string => `/trials?topic=${disease}`;

function claimsOf(
  disease: string,
  totals: EvidenceTotals | null,
  direction?: 'supports' | 'contradicts' | 'neutral',
): Html {
  const claims = direction === undefined ? totals?.claims : totals?.[direction].claims;
  const query = direction === undefined ? '' : `&direction=${direction}`;
  return counted(claims ?? null, `/cure-lab/evidence?disease=${disease}${query}`);
}

function guidePart({ evidenceClasses, tracks, outcomeLadder, counting, never }: Guide): Html {
  const meanings = (entries: readonly { id: string; means: string }[], names: Readonly<Record<string, string>>) =>
    record(entries.map(({ id, means }) => [names[id] ?? id, means] as const));
  return html`${folded('Kinds of observation', meanings(evidenceClasses, WORDS.evidenceClass))}
${folded('Ways to a cure of type 1 diabetes', meanings(tracks, WORDS.track))}
${folded('Outcomes', meanings(outcomeLadder, WORDS.outcome))}
${folded('How statements are counted', list(counting))}
${folded('What this service never does', list(never))}`;
}

export const labDiseasePage = thingPage({
  id: 'page-lab-disease',
  read: getLabModule,
  title: ({ title }) => `${title}: what would count as a cure`,
  main: ({ id, title, searchTerms, trials, evidence, reasons, notes, ...about }) => html`${record([
    ['A cure would be', about.cureWouldBe],
    ['Good, and not yet a cure', about.notYetCure],
    ['These words were reviewed', instant(about.reviewedOn)],
  ])}
<h2>Trials</h2>
${
  trials === null
    ? missing('trials', reasons)
    : record([
        ['Distinct trials of the topic', counted(trials.distinct, trialsOf(id))],
        ['Running', counted(trials.running, `${trialsOf(id)}&status=active`)],
        ['In both registries', counted(trials.inBoth, null)],
        ['Found by', joined(searchTerms.map(code))],
      ])
}
<p><a href="/results-gap?topic=${id}">Trials of ${title} whose results are missing</a></p>
<h2>Evidence in the cure lab</h2>
${
  evidence === null
    ? missing('evidence', reasons)
    : table('Statements by what they speak for', ['supports', 'contradicts', 'neutral'] as const, [
        ['Speaks', (direction) => WORDS.direction[direction]],
        ['Statements', (direction) => claimsOf(id, evidence, direction), 'number'],
        ['Groups of people studied', (direction) => count(evidence[direction].cohorts), 'number'],
      ])
}
${list(notes)}`,
});

function missing(part: string, reasons: Readonly<Record<string, string>>): Html {
  return html`<p class="notice" role="note"><strong>Not known now:</strong> ${reasons[part] ?? 'it could not be read.'}</p>`;
}
