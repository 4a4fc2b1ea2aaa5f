import { HTTP_DOOR } from './doors/http.ts';
import { IN_PROCESS_DOOR } from './doors/in-process.ts';
import { SDK_DOOR } from './doors/sdk.ts';
import { holdCases } from './hold-cases.ts';

holdCases(HTTP_DOOR, { least: 165, lacks: [] });
holdCases(IN_PROCESS_DOOR, { least: 165, lacks: [] });
holdCases(SDK_DOOR, {
  least: 165,
  lacks: ['snapshot-file', 'private-patient-model-guide', 'sdk-file', 'healthz', 'readyz'],
});
