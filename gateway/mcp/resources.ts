import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { FIXED_RESOURCES, RESOURCE_TEMPLATES } from '../../contract/interfaces/resources.ts';
import type { Operation } from '../../contract/operation.ts';
import { glossaryText } from '../description/documents.ts';
import type { Invoked } from '../invoke.ts';
import type { Toolbox } from './toolbox.ts';

/** Runs an operation of the address for the message that is being answered. */
export type Run = (operation: Operation, given: Record<string, unknown>) => Promise<Invoked>;

/** What a URI is read from: an operation with its arguments, or a text. */
type Source = { operation: Operation; given: Record<string, unknown> } | { text: string };

const JSON_TYPE = 'application/json';
const MARKDOWN_TYPE = 'text/markdown';

export function listedResources(toolbox: Toolbox): ListResourcesResult {
  const offered = FIXED_RESOURCES.filter(({ operation }) => operation === undefined || toolbox.operationOf(operation));
  return {
    resources: offered.map(({ uri, name, title, description, document }) => ({
      uri,
      name,
      title,
      description,
      mimeType: document === undefined ? JSON_TYPE : MARKDOWN_TYPE,
    })),
  };
}

export function listedTemplates(toolbox: Toolbox): ListResourceTemplatesResult {
  const offered = RESOURCE_TEMPLATES.filter(({ operation }) => toolbox.operationOf(operation));
  return {
    resourceTemplates: offered.map(({ template, name, title, description }) => ({
      uriTemplate: template,
      name,
      title,
      description,
      mimeType: JSON_TYPE,
    })),
  };
}

/** What a URI is read from at this address; undefined where nothing is. */
export function sourceOf(uri: string, toolbox: Toolbox): Source | undefined {
  const fixed = FIXED_RESOURCES.find((resource) => resource.uri === uri);
  if (fixed?.document !== undefined) return { text: glossaryText() };
  const known = fixed ? { id: fixed.operation, given: {} } : filledTemplate(uri);
  const operation = known && toolbox.operationOf(known.id);
  return operation && { operation, given: known.given };
}

function filledTemplate(uri: string): { id: string; given: Record<string, string> } | undefined {
  for (const { template, operation } of RESOURCE_TEMPLATES) {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/?#]+)')}$`);
    const values = pattern.exec(uri)?.slice(1).map(decoded);
    if (values === undefined || values.includes(null)) continue;
    return { id: operation, given: Object.fromEntries(names.map((name, at) => [name, values[at]!])) };
  }
  return undefined;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

export async function readResource(uri: string, toolbox: Toolbox, run: Run): Promise<ReadResourceResult> {
  const source = sourceOf(uri, toolbox);
  if (source === undefined) throw new ResourceNotFoundError(uri.slice(0, URI_SHOWN_CHARACTERS));
  if ('text' in source) return { contents: [{ uri, mimeType: MARKDOWN_TYPE, text: source.text }] };
  // A resource is the document itself, and its reader cannot ask for more of it.
  const invoked = await run(source.operation, { ...source.given, detail: 'full' });
  if (invoked.ok) return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(invoked.envelope) }] };
  if (invoked.status === 404) throw new ResourceNotFoundError(uri, invoked.error.message);
  throw failureOf(invoked);
}

const URI_SHOWN_CHARACTERS = 300;

/** A refusal where the protocol has no result that fails: its code and hint are in `data`. */
export function failureOf({ status, error }: Extract<Invoked, { ok: false }>): ProtocolError {
  const code = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, error.message, { error });
}
