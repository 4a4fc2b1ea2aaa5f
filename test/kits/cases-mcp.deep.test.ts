import { holdCases } from '../cases/hold-cases.ts';
import { mcpDoor } from './doors/mcp.ts';
import { MCP_CLIENTS } from './support/mcp.ts';

/** Cases that it answers otherwise than REST. */
const OTHERWISE = {
  'capabilities name each endpoint with its names at every door and what to call next':
    'a tool call has the form index by default, which is short enough to begin with',
  'an unknown argument is dropped and named': 'it is refused, with the names that are near',
  'a key is made, read, changed and revoked by itself alone':
    'its one tool call has a dead key, which is refused before there is a connection to call it over',
};

for (const client of MCP_CLIENTS) holdCases(mcpDoor(client), OTHERWISE);
