import { type Detail, takesView, VIEW_PARAMETER_NAMES, VIEW_PARAMETERS } from '../../contract/interfaces/view.ts';
import type { Operation } from '../../contract/operation.ts';
import { readParameters } from '../../server-kit/parameters.ts';
import { Problem } from '../../server-kit/problem.ts';
import { plainList } from '../plain-arguments.ts';
import { unknownField } from './known-fields.ts';

/** How a caller wants an answer. */
export interface View {
  detail: Detail;
  /** Null for all. */
  fields: readonly string[] | null;
  /** What was sent besides, by its name in the query; filters that were read otherwise are told. */
  asked?: Readonly<Record<string, unknown>>;
}

/** The flat arguments of another door without those of the view, and the view. Throws a Problem. */
export function takeView(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  byDefault: Detail,
): { view: View; given: Record<string, unknown> } {
  if (operation.envelope === false) return { view: { detail: byDefault, fields: null }, given: { ...given } };
  // A write takes `detail` alone: what it acknowledges has no fields to choose from.
  const own = takesView(operation) ? VIEW_PARAMETER_NAMES : ['detail'];
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !own.includes(name)));
  const pairs = own.flatMap((name) => {
    const value = plainList(given[name]);
    if (value === undefined || value === null) return [];
    return [{ name, value: Array.isArray(value) ? value.join(',') : String(value) }];
  });
  return { view: { ...viewOf(operation, pairs, byDefault), asked: rest }, given: rest };
}

/** A query without the pairs of the view, and the view; null if it has none of them. Throws a Problem. */
export function viewInQuery(
  operation: Operation,
  pairs: readonly { name: string; value: string | null }[],
): { view: View; isOfView: (name: string) => boolean } | null {
  const isOfView = (name: string): boolean => VIEW_PARAMETER_NAMES.includes(name);
  const own = pairs.filter(({ name }) => isOfView(name));
  if (own.length === 0 || !takesView(operation)) return null;
  const asked = Object.fromEntries(pairs.flatMap(({ name, value }) => (isOfView(name) ? [] : [[name, value]])));
  return { view: { ...viewOf(operation, own, 'full'), asked }, isOfView };
}

function viewOf(
  operation: Operation,
  pairs: readonly { name: string; value: string | null }[],
  byDefault: Detail,
): View {
  const { values } = readParameters(VIEW_PARAMETERS, pairs);
  const detail = (values.detail as Detail | undefined) ?? byDefault;
  const listed = values.fields as string | undefined;
  if (listed === undefined) return { detail, fields: null };
  const fields = listed
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
  const unknown = fields.length === 0 ? { field: 'nothing', near: [] } : unknownField(operation, fields);
  if (unknown !== null) throw refusal(operation, unknown);
  return { detail, fields };
}

/** Longest name of an unknown field that a refusal repeats. */
const NAME_SHOWN_CHARACTERS = 64;

function refusal({ unknownParameters }: Operation, { field, near }: { field: string; near: string[] }): Problem {
  const expected = `names or dotted paths of fields of the answer${near.length === 0 ? '' : `, as ${near.join(', ')}`}`;
  // What is sent to these operations may be about a person, and is not repeated.
  const named = unknownParameters === 'refused' ? 'A field' : field.toWellFormed().slice(0, NAME_SHOWN_CHARACTERS);
  return new Problem('INVALID_PARAM', {
    message: `The parameter fields is not usable: ${named} is no field of this answer; expected ${expected}.`,
    parameter: 'fields',
    expected,
    issues: [{ path: 'fields', message: `expected ${expected}` }],
  });
}
