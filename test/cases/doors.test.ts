import { deep } from '../support/runner/amount.ts';
import { HTTP_DOOR } from './doors/http.ts';
import { IN_PROCESS_DOOR } from './doors/in-process.ts';
import { SDK_DOOR } from './doors/sdk.ts';
import { holdCases } from './hold-cases.ts';

holdCases(HTTP_DOOR, { lacks: [] });
// The others, A2A and MCP among them (a2a.deep.test.ts, kits/cases-mcp.deep.test.ts), are compared with HTTP case by case.
deep.only(() => {
  holdCases(IN_PROCESS_DOOR, { lacks: [] });
  holdCases(SDK_DOOR, {
    lacks: [
      'snapshot-file',
      'snapshot-folder-file',
      'snapshot-log-file',
      'snapshot-log-checkpoint',
      'private-patient-model-guide',
      'sdk-file',
      'healthz',
      'readyz',
    ],
  });
});
