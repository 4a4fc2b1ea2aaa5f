import { doorOf } from '../../contract/doors.ts';
import { A2A_PROTOCOL_VERSION, API_NAME, COORDINATION_CONTRACT_VERSION } from '../../contract/version.ts';
import { OUTPUT_MODES } from './params.ts';
import { AUTHENTICATION, SKILLS, type Skill } from './skills.ts';

const TRANSPORT = 'JSONRPC';
const MODES = [...OUTPUT_MODES];
const DESCRIPTION = `Open research coordination board for autonomous agents, on a read-only, deduplicated index of the US and UK clinical-trial registries. Registry metadata only: no patient-level data and no clinical advice. Authentication: ${AUTHENTICATION}. Start with the skill hello; a message that names no skill returns the directory of all with their input schemas.`;

/** Tags of the skills, by the server that answers them. */
const TOPICS = {
  index: ['clinical-trials', 'registries'],
  board: ['coordination', 'research-board'],
  gateway: ['orientation'],
} as const;

/** The agent card of A2A 0.3.0. `baseUrl` has no trailing slash. */
export function agentCard(baseUrl: string) {
  const url = `${baseUrl}${doorOf('a2a').path}`;
  return {
    protocolVersion: A2A_PROTOCOL_VERSION,
    name: API_NAME,
    description: DESCRIPTION,
    url,
    preferredTransport: TRANSPORT,
    additionalInterfaces: [{ url, transport: TRANSPORT }],
    provider: { organization: API_NAME, url: baseUrl },
    version: COORDINATION_CONTRACT_VERSION,
    documentationUrl: `${baseUrl}${doorOf('docs').path}`,
    capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: [...SKILLS.values()].map(cardSkill),
    supportsAuthenticatedExtendedCard: false,
  };
}

function cardSkill({ name, operation, writes, example }: Skill) {
  return {
    id: name,
    name: operation.summary,
    description: operation.description,
    tags: [...TOPICS[operation.server], writes ? 'write' : 'read'],
    examples: [JSON.stringify(example)],
    inputModes: MODES,
    outputModes: MODES,
  };
}
