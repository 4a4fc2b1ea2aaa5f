import type { Operation } from '../../contract/operation.ts';
import { unseenEscaped } from '../../contract/visible-text.ts';
import { headersOf } from './openapi-parameters.ts';

/** Quotes any text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Without characters that could control a terminal, or reverse the text that a person reads before running the command. */
function jsonWord(body: Record<string, unknown>): string {
  return quoted(unseenEscaped(JSON.stringify(body)));
}

/** The curl command that reads an address or, with a body, sends it JSON. */
export function commandOf(address: string, body?: Record<string, unknown>): string {
  if (body === undefined) return `curl ${quoted(address)}`;
  return [`curl -X POST ${quoted(address)}`, "-H 'Content-Type: application/json'", `-d ${jsonWord(body)}`].join(
    ' \\\n  ',
  );
}

/** The operation's example as a curl command; ID stands for one of the caller's ids. */
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
