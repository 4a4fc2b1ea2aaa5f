import type { Operation } from '../../contract/operation.ts';
import { headersOf } from './openapi-parameters.ts';

/** A POSIX shell word, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
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
