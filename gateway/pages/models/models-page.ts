import { pageOf } from '../../../contract/interfaces/pages.ts';
import { docsAddressOf } from '../docs/areas.ts';
import { html } from '../html.ts';
import { cards } from '../kit/parts.ts';
import type { Page } from '../page.ts';

/** The models that can be run or read here, each with what it needs and what it does not say. */
export const modelsPage: Page = {
  id: 'page-models',
  respond: () => ({
    main: html`<p>Models to compute with, on published or invented averages. None takes data of a person, and none says what happens to one.</p>
<h2>To run and to read</h2>
${cards([
  {
    title: 'Beta cell',
    href: pageOf('page-beta-cell').path,
    tags: ['Runs in a form'],
    lines: [
      'Fits the loss of beta-cell function to averages of C-peptide, checks the fit against later visits, and computes hypothetical changes.',
    ],
  },
  {
    title: 'Patient model',
    href: pageOf('page-patient-model').path,
    tags: ['To read'],
    lines: ['What a model of one person would need, what is known, and which tasks are open. It takes no input.'],
  },
  {
    title: 'Reaction networks',
    href: docsAddressOf('twin-experiment'),
    tags: ['Over the API'],
    lines: ['A network of your own with arms and uncertainties, solved with checks of the numbers.'],
  },
  {
    title: 'Benchmarks of rival models',
    href: docsAddressOf('twin-benchmark'),
    tags: ['Over the API'],
    lines: ['Two or three models beside the same observations and plain predictors; never ranked.'],
  },
  {
    title: 'Explore an assumption',
    href: docsAddressOf('twin-explore'),
    tags: ['Over the API'],
    lines: ['What is registered around an assumption, by condition, stage and markers: counts, no score.'],
  },
])}`,
  }),
};
