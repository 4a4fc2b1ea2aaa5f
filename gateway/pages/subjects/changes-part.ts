import type { OperationOutput } from '../../../contract/operation.ts';
import type { getTrialChanges } from '../../../contract/operations/trial-history.ts';
import type { ChangedTrial, TrialChange } from '../../../contract/schemas/trial-change.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { instant } from '../kit/words.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { fileAddress } from '../trials/take-away.ts';
import { cut, trialAddress } from '../trials/words.ts';

/** What the served snapshot changed about the trials of a subject. */

const TITLE_MAX_CHARACTERS = 160;

const KINDS: Record<TrialChange['kind'], string> = {
  'trial-added': 'new here',
  'trial-changed': 'changed',
  'trial-merged': 'merged with another trial',
  'trial-removed': 'removed',
  'trial-split': 'split from another trial',
  'registration-added': 'registration added',
  'registration-changed': 'registration changed',
  'registration-removed': 'registration removed',
  'identifier-gained': 'identifier added',
  'identifier-lost': 'identifier removed',
  'link-changed': 'link changed',
  'link-gained': 'link added',
  'link-lost': 'link removed',
  'publication-gained': 'publication added',
  'publication-lost': 'publication removed',
};

type Changes = Answered<OperationOutput<typeof getTrialChanges>> | FailedRead;

export function changedTrials(changes: Changes, address: URLSearchParams): Html {
  const feed = html`<p><a href="${fileAddress('atom', address)}">Follow these trials by feed</a></p>`;
  if (changes instanceof FailedRead) return html`${failedPart('The changes', changes)}${feed}`;
  const { trials, between } = changes.data;
  if (trials.length === 0) {
    return html`<p>The newest snapshot changed none of these trials${!between.complete && ', as far as its changes are kept'}.</p>${feed}`;
  }
  return html`<ul class="changed">${trials.map(changed)}</ul>
${changes.meta.pagination?.hasMore === true && html`<p class="hint">More of them changed; the feed has every one.</p>`}${feed}`;
}

function changed({ canonicalId, heldBy, title, publishedAt, kinds }: ChangedTrial): Html {
  const name = html`<bdi>${cut(title ?? canonicalId, TITLE_MAX_CHARACTERS)}</bdi>`;
  return html`<li>${heldBy === null ? name : html`<a href="${trialAddress(heldBy)}">${name}</a>`} <span class="hint">${kinds.map((kind) => KINDS[kind]).join(', ')}, ${instant(publishedAt.slice(0, 10))}</span></li>
`;
}
