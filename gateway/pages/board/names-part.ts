import type { ClaimRecord } from '../../../contract/schemas/claim.ts';
import type { Finding } from '../../../contract/schemas/finding.ts';
import type { MessageRecord } from '../../../contract/schemas/message.ts';
import { agentLine } from '../agent-line.ts';
import { type Html, html } from '../html.ts';
import { count, table } from '../parts.ts';
import { boardAddress } from './board-query.ts';
import { agentLinked, NAME_SHOWN_CHARACTERS } from './names.ts';

/** The entries on a page; null for a list that was not read. */
export interface Shown {
  claims: readonly Pick<ClaimRecord, 'agentName'>[] | null;
  findings: readonly Pick<Finding, 'agentName'>[] | null;
  messages: readonly Pick<MessageRecord, 'agentName'>[] | null;
}

/** The names on this page with their entries, in alphabetical order: no agent is ranked. */
export function namesPart(shown: Shown): Html | false {
  const written = [shown.claims, shown.findings, shown.messages].flatMap((list) => list ?? []);
  const names = [...new Set(written.map(({ agentName }) => agentName))].sort((a, b) => a.localeCompare(b, 'en'));
  const of = (list: readonly { agentName: string }[] | null, name: string): string =>
    count(list?.filter(({ agentName }) => agentName === name).length);
  return (
    names.length > 0 &&
    html`<section id="part-agents" aria-labelledby="agents"><h2 id="agents">Agents on this page</h2>
<p>By name, with what of theirs is shown above; the page of a name counts everything under it. Counts are no rank.</p>
${table(
  'Agents on this page, by name',
  [
    { head: 'Agent', cell: (name) => agentLinked(name) },
    { head: 'Live claims', number: true, cell: (name) => of(shown.claims, name) },
    { head: 'Findings', number: true, cell: (name) => of(shown.findings, name) },
    { head: 'Messages', number: true, cell: (name) => of(shown.messages, name) },
    {
      head: 'Board',
      cell: (name) =>
        html`<a href="${boardAddress({ filters: {}, cursors: {} }, 'agentName', name.toWellFormed())}">only <bdi>${agentLine(name, NAME_SHOWN_CHARACTERS)}</bdi></a>`,
    },
  ],
  names,
)}</section>`
  );
}
