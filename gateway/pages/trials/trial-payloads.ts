import { httpInput } from '../../../contract/arguments.ts';
import { getTrial } from '../../../contract/operations/trials.ts';
import type { TrialRecord } from '../../../contract/schemas/trial.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { count, instant, table } from '../parts.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { outside, REGISTRY_NAMES, trialAddress } from './words.ts';

/** A payload up to this size is shown whole; a larger one is cut. */
const SHOWN_WHOLE_MAX_CHARACTERS = 200_000;
const BEGINNING_CHARACTERS = 20_000;

type Payload = NonNullable<TrialRecord['raw']>[number];

/** When each record was read, and its hash; the payloads too if the reader asked for them. */
export function payloads(trial: TrialRecord, raw: Answered<TrialRecord> | FailedRead | null): Html {
  return html`<section aria-labelledby="payloads"><h2 id="payloads">What was received</h2>
${table(
  'Records as received',
  [
    { head: 'Registration', cell: ({ id, url }) => outside(url, id) },
    { head: 'Registry', cell: ({ registry }) => REGISTRY_NAMES[registry] },
    { head: 'Retrieved', cell: ({ retrievedAt }) => instant(retrievedAt) },
    { head: 'Version of the registry', cell: ({ sourceVersion }) => sourceVersion ?? 'not stated' },
    { head: 'Superseded ids', cell: ({ aliases }) => aliases.join(', ') || 'none' },
    { head: 'Checksum of the payload', cell: ({ checksum }) => html`<code>${checksum}</code>` },
  ],
  trial.registrations,
)}
${shown(trial, raw)}</section>`;
}

function shown(trial: TrialRecord, raw: Answered<TrialRecord> | FailedRead | null): Html {
  if (raw === null)
    return html`<p><a href="${trialAddress(trial.canonicalId)}?raw=true#payloads" rel="nofollow">Show the payloads exactly as received</a></p>`;
  if (raw instanceof FailedRead) return failedPart('The raw payload', raw);
  return html`${(raw.data.raw ?? []).map((payload) => payloadText(trial, payload))}`;
}

function payloadText({ canonicalId }: TrialRecord, { registration, format, payload }: Payload): Html {
  const isWhole = payload.length <= SHOWN_WHOLE_MAX_CHARACTERS;
  const text = isWhole ? payload : payload.slice(0, BEGINNING_CHARACTERS).toWellFormed();
  const call = httpInput(getTrial, { canonicalId, includeRaw: true }).path;
  return html`<h3>Payload of ${registration} (${format}, ${count(payload.length)} characters)</h3>
${!isWhole && html`<p class="notice" role="note">The first ${count(BEGINNING_CHARACTERS)} characters. All of it: <code>${call}</code></p>`}
<pre class="payload" tabindex="0" role="region" aria-label="Payload of ${registration}">
${text}</pre>`;
}
