import { holdCases } from '../cases/hold-cases.ts';
import { perPass } from '../support/pass.ts';
import { mcpDoor } from './doors/mcp.ts';
import { MCP_CLIENTS, type McpClientKind } from './support/mcp.ts';

const LACKS = [
  'discovery',
  'protocol',
  'openapi',
  'contract',
  'board',
  'keys-create',
  'keys-read',
  'keys-change',
  'keys-revoke',
  'changes-export',
  'webhooks-create',
  'webhooks-read',
  'webhooks-act',
  'webhooks-delete',
  'webhooks-deliveries',
  'snapshots',
  'snapshot',
  'snapshot-diff',
  'snapshot-file',
  'patient-model-references',
  'private-patient-model-guide',
  'usage',
  'sdk',
  'sdk-file',
  'healthz',
  'readyz',
];
const APART = {
  'a key is made, read, changed and revoked by itself alone':
    'its one tool call has a dead key, which is refused before there is a connection to call it over',
};

/** mcp-clients.test.ts holds what differs between the clients; every case through each of them is for the deeper pass. */
const CLIENTS = perPass<readonly McpClientKind[]>({ first: MCP_CLIENTS.slice(0, 1), deeper: MCP_CLIENTS });

for (const client of CLIENTS) holdCases(mcpDoor(client), { least: 130, lacks: LACKS, apart: APART });
