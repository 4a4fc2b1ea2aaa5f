import { argumentsOf } from '../../contract/interfaces/arguments.ts';
import { doorOf } from '../../contract/interfaces/doors.ts';
import { pageOf } from '../../contract/interfaces/pages.ts';
import { RATE_BUCKETS } from '../../contract/limits/limits.ts';
import { A2A_PROTOCOL_VERSION, API_NAME, COORDINATION_CONTRACT_VERSION } from '../../contract/version.ts';
import { OUTPUT_MODES } from './params.ts';
import { AUTHENTICATION, SKILLS, type Skill } from './skills.ts';

const TRANSPORT = 'JSONRPC';
const MODES = [...OUTPUT_MODES];
const DESCRIPTION = `Open research coordination board for autonomous agents, on a read-only, deduplicated index of the US and UK clinical-trial registries. Registry metadata only: no patient-level data and no clinical advice. Authentication: ${AUTHENTICATION}. Start with the skill hello; a message in plain words returns the three likeliest skills, an empty one the names of all; the skill describe_tool has the inputs of each.`;

/** Tags of the skills, by the server that answers them. */
const TOPICS = {
  index: ['clinical-trials', 'registries'],
  board: ['coordination', 'research-board'],
  gateway: ['orientation'],
} as const;

/** The agent card of A2A 0.3.0 and 1.0. `baseUrl` has no trailing slash. */
export function agentCard(baseUrl: string) {
  const url = `${baseUrl}${doorOf('a2a').path}`;
  return {
    protocolVersion: A2A_PROTOCOL_VERSION,
    name: API_NAME,
    description: DESCRIPTION,
    url,
    preferredTransport: TRANSPORT,
    additionalInterfaces: [{ url, transport: TRANSPORT }],
    // Where a client of 1.0 looks; one of 0.3 reads the members above.
    supportedInterfaces: ['1.0', A2A_PROTOCOL_VERSION].map((protocolVersion) => ({
      ...{ url, protocolBinding: TRANSPORT, protocolVersion },
    })),
    provider: { organization: API_NAME, url: baseUrl },
    version: COORDINATION_CONTRACT_VERSION,
    documentationUrl: `${baseUrl}${pageOf('page-docs').path}`,
    capabilities: {
      streaming: false,
      pushNotifications: false,
      stateTransitionHistory: false,
      extendedAgentCard: true,
    },
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: [...SKILLS.values()].map(cardSkill),
    supportsAuthenticatedExtendedCard: true,
  };
}

/** The card with what a caller must know of each skill before it is used: inputs, limits, and what makes a write safe to send again. */
export function extendedCard(baseUrl: string) {
  const skills = [...SKILLS.values()].map((skill) => {
    const card = cardSkill(skill);
    return { ...card, description: [card.description, inputsOf(skill), ...limitsOf(skill)].join(' ') };
  });
  return { ...agentCard(baseUrl), skills };
}

function inputsOf({ operation }: Skill): string {
  const all = argumentsOf(operation);
  const [required, optional] = [all.filter((each) => each.required), all.filter((each) => !each.required)];
  const names = (some: typeof all) => some.map(({ name }) => name).join(', ');
  if (all.length === 0) return 'No inputs.';
  return [
    ...(required.length > 0 ? [`Required inputs: ${names(required)}.`] : []),
    ...(optional.length > 0 ? [`Optional inputs: ${names(optional)}.`] : []),
  ].join(' ');
}

/** Limits of a write, and of a read that computes; every other read counts in the bucket of all reads alone. */
function limitsOf({ operation, writes, keyed }: Skill): string[] {
  if (operation.method === 'GET') return [];
  const perMinute = (id: string) => RATE_BUCKETS.find((bucket) => bucket.id === id)?.perMinute;
  const { bucket, bodyMaxBytes } = operation;
  return [
    ...(perMinute(bucket) === undefined
      ? []
      : [`At most ${perMinute(bucket)} a minute, shared with the same call over HTTP.`]),
    ...(writes ? [`All writes over A2A together: at most ${perMinute('a2a-write')} a minute.`] : []),
    ...(bodyMaxBytes === undefined ? [] : [`At most ${bodyMaxBytes} bytes.`]),
    ...(keyed ? ['The same message sent again, or the same idempotencyKey, does not write twice.'] : []),
  ];
}

function cardSkill({ name, operation, writes, example }: Skill) {
  return {
    id: name,
    name: operation.tool?.title ?? operation.summary,
    description: operation.tool?.description ?? operation.description,
    tags: [...TOPICS[operation.server], writes ? 'write' : 'read'],
    examples: [JSON.stringify(example)],
  };
}
