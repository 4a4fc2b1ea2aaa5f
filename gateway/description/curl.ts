import type { Operation } from '../../contract/operation.ts';
import { headersOf } from './openapi-parameters.ts';

/** A POSIX shell word, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What would steer a terminal, or turn the order of what is read round, before the command is run. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function jsonWord(body: Record<string, unknown>): string {
  const escaped = (text: string): string =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
  return quoted(JSON.stringify(body).replaceAll(UNSEEN, escaped));
}

/** A read of an address, or a call that brings a JSON body, as a curl command. */
export function commandOf(address: string, body?: Record<string, unknown>): string {
  if (body === undefined) return `curl ${quoted(address)}`;
  return [`curl -X POST ${quoted(address)}`, "-H 'Content-Type: application/json'", `-d ${jsonWord(body)}`].join(
    ' \\\n  ',
  );
}

/** The operation's example as a curl command; ID stands for an id of the caller's. */
export function curlOf(operation: Operation, baseUrl: string): string {
  const { method, example, exampleBody } = operation;
  const headers = headersOf(operation);
  const address = baseUrl + example.replaceAll(/\{[A-Za-z]+\}/g, 'ID');
  const write = method !== 'GET';
  return [
    write ? `curl -X ${method} ${quoted(address)}` : `curl ${quoted(address)}`,
    ...(operation.errors.includes('AUTH_REQUIRED') && operation.errors.includes('INVALID_KEY')
      ? ['-H "X-Api-Key: $API_KEY"']
      : []),
    ...(headers.includes('WebhookSecret') ? ['-H "X-Webhook-Secret: $WEBHOOK_SECRET"'] : []),
    ...(write && headers.includes('IdempotencyKey') ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(exampleBody === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(exampleBody))}`]),
  ].join(' \\\n  ');
}
