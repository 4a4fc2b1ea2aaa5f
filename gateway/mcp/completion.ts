import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { WORKFLOWS } from '../../contract/declared/workflows.ts';
import { type CompletionSource, RESOURCE_TEMPLATES } from '../../contract/interfaces/resources.ts';
import { failureOf, type Run } from './resources.ts';
import type { Toolbox } from './toolbox.ts';

/** The protocol's own ceiling. */
const VALUES_MAX_ITEMS = 100;
/** Longer texts complete nothing. */
const TYPED_MAX_CHARACTERS = 200;

// biome-ignore lint/suspicious/noExplicitAny: the output schema of the operation says what it is
type Data = any;

/** What an operation is asked for what was typed, and the values in its answer. */
interface Lookup {
  operation: string;
  given: Record<string, unknown>;
  values: (data: Data) => { values: string[]; total?: number };
}

const idsOf = (list: { id: string }[]): string[] => list.map(({ id }) => id);

/** Those of a known list that begin with what was typed. */
function listLookup(
  operation: string,
  given: Record<string, unknown>,
  list: (data: Data) => string[],
  typed: string,
): Lookup {
  const begins = typed.toLowerCase();
  const values = (data: Data) => ({ values: list(data).filter((value) => value.toLowerCase().startsWith(begins)) });
  return { operation, given, values };
}

const VALUE_FIELDS = { condition: 'condition', country: 'country', 'trial-topic': 'topic' } as const;

function lookupOf(source: CompletionSource, typed: string): Lookup {
  switch (source) {
    case 'condition':
    case 'country':
    case 'trial-topic':
      return {
        operation: 'trials-values',
        given: { field: VALUE_FIELDS[source], ...(typed !== '' && { text: typed }), limit: VALUES_MAX_ITEMS },
        values: ({ values, total }) => ({ values: values.map(({ value }: { value: string }) => value), total }),
      };
    case 'trial':
    case 'registration':
      return trialLookup(source, typed);
    case 'finding':
      return listLookup('findings', { limit: VALUES_MAX_ITEMS }, ({ findings }) => idsOf(findings), typed);
    case 'claim':
      return listLookup(
        'claims-list',
        { state: 'active', limit: VALUES_MAX_ITEMS },
        ({ claims }) => idsOf(claims),
        typed,
      );
    case 'snapshot':
      return listLookup('snapshots', {}, ({ snapshots }) => versionsOf(snapshots), typed);
    case 'objective':
      return listLookup('curriculum', {}, ({ objectives }) => idsOf(objectives), typed);
    case 'capability-topic':
      return listLookup('capabilities', { form: 'index' }, ({ topics }) => Object.keys(topics), typed);
  }
}

const versionsOf = (snapshots: { version: string }[]): string[] => snapshots.map(({ version }) => version);

interface Found {
  canonicalId: string;
  registrations: { id: string }[];
}

const TRIALS_FOUND_ITEMS = 20;

/** An id is completed by what the trial is about: whoever knows the id needs no completion. */
function trialLookup(source: 'trial' | 'registration', typed: string): Lookup {
  return {
    operation: 'trials-search',
    given: { ...(typed !== '' && { q: typed }), pageSize: TRIALS_FOUND_ITEMS },
    values: ({ trials }: { trials: Found[] }) => ({
      values: trials.flatMap(({ canonicalId, registrations }) =>
        source === 'trial' ? canonicalId : registrations.map(({ id }) => id),
      ),
    }),
  };
}

/** Completes a variable of a resource template or an argument of a prompt. */
export async function completed(
  { ref, argument: { name, value } }: CompleteRequest['params'],
  toolbox: Toolbox,
  run: Run,
): Promise<CompleteResult> {
  const source = sourceFor(ref, name);
  if (source === null) return { completion: { values: [], total: 0 } };
  const typed = value.trim().slice(0, TYPED_MAX_CHARACTERS);
  const { operation: id, given, values: read } = lookupOf(source, typed);
  const operation = toolbox.operationOf(id);
  if (operation === undefined) return { completion: { values: [], total: 0 } };
  const invoked = await run(operation, { ...given, detail: 'full' });
  if (!invoked.ok) throw failureOf(invoked);
  const { values, total = values.length } = read(invoked.envelope.data);
  const shown = values.slice(0, VALUES_MAX_ITEMS);
  return { completion: { values: shown, total, hasMore: total > shown.length } };
}

/** Null for an argument that has no known values. Throws for a prompt or template that does not exist. */
function sourceFor(ref: CompleteRequest['params']['ref'], argument: string): CompletionSource | null {
  if (ref.type === 'ref/resource') {
    const template = RESOURCE_TEMPLATES.find(({ template: uri }) => uri === ref.uri);
    // An argument may be named as a member of every object is.
    if (template !== undefined)
      return Object.hasOwn(template.completes, argument) ? (template.completes[argument] ?? null) : null;
  } else {
    const workflow = WORKFLOWS.find(({ id }) => id === ref.name);
    if (workflow !== undefined) return workflow.asks?.find(({ name }) => name === argument)?.completes ?? null;
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'No prompt and no resource template has this name: prompts/list and resources/templates/list name them.',
  );
}
