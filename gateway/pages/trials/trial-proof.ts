import { httpInput } from '../../../contract/interfaces/arguments.ts';
import { pageOf } from '../../../contract/interfaces/pages.ts';
import { getTrial } from '../../../contract/operations/trials/trials.ts';
import type { TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { command, copyable, record } from '../kit/parts.ts';
import { count, instant } from '../kit/words.ts';
import { FailedRead } from '../reads.ts';
import { outside, REGISTRY_NAMES, trialAddress } from '../words/trials.ts';

type Registration = TrialRecord['registrations'][number];
type Payload = NonNullable<TrialRecord['raw']>[number];

/** How to cite the trial. */
export function citation({ citation: { text, verifyAt } }: TrialRecord): Html {
  return html`${command(text)}
<p>Verify at ${outside(verifyAt, verifyAt)} before you rely on it.</p>`;
}

/** A file that shows without this service what is shown here, and what was received from each registry. */
export function proof(trial: TrialRecord, baseUrl: string, raw: TrialRecord['raw'] | FailedRead | null): Html {
  const { canonicalId, registrations } = trial;
  return html`<p><a href="/api/v1/trials/${canonicalId}/proof" download="proof-${canonicalId}.json">Download the proof</a> that this snapshot holds this trial with its registrations and links, and <a href="${pageOf('page-verify').path}">verify</a> it without this service.</p>
<h3>What was received</h3>
<p>Each record is kept exactly as it was received: from its registry, or from a file that the operator had of it (<a href="${pageOf('page-about').path}">which</a>). The command reads it, and prints the SHA-256 that stands above it.</p>
${registrations.map((registration) => received(registration, canonicalId, baseUrl))}
${payloads(trial, raw)}`;
}

function received(registration: Registration, canonicalId: string, baseUrl: string): Html {
  const { registry, id, url, retrievedAt, sourceVersion, checksum } = registration;
  return html`<details><summary>${REGISTRY_NAMES[registry]} ${id}, received ${instant(retrievedAt)}</summary>
${record([
  ['Record at the registry', html`<bdi>${outside(url, id)}</bdi>`],
  ['Version of the registry', sourceVersion],
  ['SHA-256', copyable(checksum.replace(/^sha256:/, ''))],
])}
${command(checksumCommand(baseUrl, canonicalId, id))}</details>`;
}

/** Reads one payload and prints its SHA-256; a test runs it. */
export function checksumCommand(baseUrl: string, canonicalId: string, id: string): string {
  const address = `${baseUrl}${httpInput(getTrial, { canonicalId, includeRaw: true }).path}`;
  return `curl -s '${address}' | jq -j '.data.raw[] | select(.registration == "${id}") | .payload' | sha256sum`;
}

/** A payload up to this size is shown whole; a larger one is cut. */
const SHOWN_WHOLE_MAX_CHARACTERS = 60_000;
const BEGINNING_CHARACTERS = 20_000;

function payloads(trial: TrialRecord, raw: TrialRecord['raw'] | FailedRead | null): Html {
  if (raw === null)
    return html`<p><a href="${trialAddress(trial.canonicalId)}?raw=true#payloads" rel="nofollow">Show the records exactly as received</a></p>`;
  if (raw instanceof FailedRead) return failedPart('The record as received', raw);
  return html`<div id="payloads">${(raw ?? []).map((payload) => payloadText(trial, payload))}</div>`;
}

function payloadText({ canonicalId }: TrialRecord, { registration, format, payload }: Payload): Html {
  const isWhole = payload.length <= SHOWN_WHOLE_MAX_CHARACTERS;
  const text = isWhole ? payload : payload.slice(0, BEGINNING_CHARACTERS).toWellFormed();
  const call = httpInput(getTrial, { canonicalId, includeRaw: true }).path;
  return html`<h3>Payload of ${registration} (${format}, ${count(payload.length)} characters)</h3>
${!isWhole && html`<p class="notice" role="note">The first ${count(BEGINNING_CHARACTERS)} characters. All of it: <a href="${call}" rel="nofollow"><code>${call}</code></a></p>`}
<pre class="payload" tabindex="0" role="region" aria-label="Payload of ${registration}">
${text}</pre>`;
}
