import { randomUUID } from 'node:crypto';
import type { H3Event } from 'h3';
import { canonicalJson } from '../../contract/canonical-json.ts';
import type { ErrorCode } from '../../contract/errors/errors.ts';
import type { RateBucketId } from '../../contract/limits/limits.ts';
import { holdsRandomUuid } from '../../contract/one-time-secrets.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { Problem } from '../../server-kit/problem.ts';
import type { Admission } from '../admission/admission.ts';
import type { Invoke } from '../invoke.ts';
import { extendedCard } from './card.ts';
import { queryParams, sendParams, taskParams } from './params.ts';
import { RpcFault } from './rpc.ts';
import { type Routing, routingOf, type Skill } from './skills.ts';
import type { KeptTask, Message, Outcome, Task } from './task.ts';
import { taskOf, withMessage } from './task-answer.ts';
import { lacksSecrets, withSecrets } from './task-secrets.ts';
import type { TaskOwner, Tasks } from './tasks.ts';
import { sendParamsOf, taskInVersion1 } from './version-1.ts';

export interface MethodServices {
  invoke: Invoke;
  admission: Admission;
  tasks: Tasks;
  /** Fixed public address; null takes it from each request. */
  baseUrl: string | null;
  now: () => Date;
}

/** One JSON-RPC request being answered. */
export interface Call {
  event: H3Event;
  /** The client address that requests are counted under. */
  address: string;
  /** Whom its tasks belong to: the API key that was sent, or else the group of addresses, as with Idempotency-Keys. */
  caller: string;
  /** Whether a bucket was charged for it; otherwise the door charges one read at the end. */
  charged: boolean;
}

export type Method = (call: Call, params: unknown, services: MethodServices) => Promise<object>;
type ExtendedCard = ReturnType<typeof extendedCard>;

function refused(name: ConstructorParameters<typeof RpcFault>[0]): Method {
  return async () => {
    throw new RpcFault(name);
  };
}

/** Every method of A2A 0.3.0 over JSON-RPC, then those of 1.0, which are answered in its forms. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['message/send', send],
  ['message/stream', refused('UnsupportedOperation')],
  ['tasks/get', get],
  ['tasks/cancel', cancel],
  ['tasks/resubscribe', refused('UnsupportedOperation')],
  ['tasks/pushNotificationConfig/set', refused('PushNotificationNotSupported')],
  ['tasks/pushNotificationConfig/get', refused('PushNotificationNotSupported')],
  ['tasks/pushNotificationConfig/list', refused('PushNotificationNotSupported')],
  ['tasks/pushNotificationConfig/delete', refused('PushNotificationNotSupported')],
  ['agent/getAuthenticatedExtendedCard', extended],
  [
    'SendMessage',
    async (...[call, params, services]) => ({ task: taskInVersion1(await send(call, sendParamsOf(params), services)) }),
  ],
  ['SendStreamingMessage', refused('UnsupportedOperation')],
  ['GetTask', async (...asked) => taskInVersion1(await get(...asked))],
  ['ListTasks', refused('UnsupportedOperation')],
  ['CancelTask', async (...asked) => taskInVersion1(await cancel(...asked))],
  ['SubscribeToTask', refused('UnsupportedOperation')],
  ['CreateTaskPushNotificationConfig', refused('PushNotificationNotSupported')],
  ['GetTaskPushNotificationConfig', refused('PushNotificationNotSupported')],
  ['ListTaskPushNotificationConfigs', refused('PushNotificationNotSupported')],
  ['DeleteTaskPushNotificationConfig', refused('PushNotificationNotSupported')],
  ['GetExtendedAgentCard', extended],
]);

/** Codes that mean that the operation never ran; they are answered as over REST. */
const REFUSED_AT_THE_DOOR: readonly ErrorCode[] = ['RATE_LIMITED', 'WRITE_RATE_LIMITED', 'INVALID_API_KEY'];

async function charge(call: Call, bucket: RateBucketId, { admission }: MethodServices): Promise<void> {
  call.charged = true;
  await admission.admitAs(call.event, bucket);
}

/** No credential is needed here, so that everybody gets the extended card. */
async function extended(call: Call, _params: unknown, services: MethodServices): Promise<ExtendedCard> {
  await charge(call, 'read', services);
  return extendedCard(services.baseUrl ?? call.event.url.origin);
}

async function get(call: Call, params: unknown, services: MethodServices): Promise<Task> {
  const { id, historyLength } = queryParams(params);
  await charge(call, 'read', services);
  const task = services.tasks.find(id, call.caller);
  if (task === null) throw new RpcFault('TaskNotFound');
  return taskOf(task, { historyLength });
}

async function cancel(call: Call, params: unknown, services: MethodServices): Promise<Task> {
  const { id } = taskParams(params);
  await charge(call, 'read', services);
  const { tasks, now } = services;
  return tasks.exclusively(id, async () => {
    const task = tasks.find(id, call.caller);
    if (task === null) throw new RpcFault('TaskNotFound');
    const { state } = task.outcome;
    if (state !== 'input-required') throw new RpcFault('TaskNotCancelable', `it is ${state}`);
    const canceled: KeptTask = { ...task, changedAt: now().toISOString(), outcome: { state: 'canceled' } };
    tasks.keep(canceled, { ...ownerOf(call), request: null });
    return taskOf(canceled);
  });
}

async function send(call: Call, params: unknown, services: MethodServices): Promise<Task> {
  const sent = sendParams(params);
  const routing = routingOf(sent.message);
  const { taskId } = sent.message;
  const digest = routing.skill?.writes ? digestOf(call, sent.message, routing) : null;
  const request = taskId === undefined ? digest : null;
  // Before it is charged as its operation.
  if (taskId !== undefined) continued(call, sent.message, taskId, services.tasks);
  if (routing.skill === null) await charge(call, 'read', services);
  else if (routing.skill.writes) await charge(call, 'a2a-write', services);
  const turn = () => takeTurn(call, sent.message, { routing, digest, request }, services);
  const key = taskId ?? request;
  const task = key === null ? await turn() : await services.tasks.exclusively(key, turn);
  return taskOf(task, sent);
}

interface Turn {
  routing: Routing;
  /** Hash of a writing message; null for any other. */
  digest: string | null;
  /** Hash of a writing message that begins a task; null for any other. */
  request: string | null;
}

/** Continues a task with one message, or begins a task. */
async function takeTurn(
  call: Call,
  message: Message,
  { routing, digest, request }: Turn,
  services: MethodServices,
): Promise<KeptTask> {
  const { tasks, now } = services;
  const earlier = message.taskId === undefined ? null : continued(call, message, message.taskId, tasks);
  const same = request === null ? null : tasks.findByRequest(request);
  const attempt = async (): Promise<Outcome> =>
    routing.skill === null
      ? { state: 'input-required', why: routing.why, ...(routing.likeliest ? { likeliest: routing.likeliest } : {}) }
      : run(call, routing.skill, withKey(routing.skill, routing.inputs, digest, message), services);
  if (same !== null && (message.contextId ?? same.contextId) === same.contextId) {
    return lacksSecrets(same) && routing.skill !== null && isUnguessable(routing, message)
      ? withSecrets(same, await attempt())
      : same;
  }
  const outcome = await attempt();
  const id = earlier?.id ?? randomUUID();
  const contextId = earlier?.contextId ?? message.contextId ?? randomUUID();
  const history = withMessage(earlier?.history ?? [], { ...message, taskId: id, contextId });
  const task: KeptTask = { id, contextId, changedAt: now().toISOString(), history, outcome };
  // A message that failed may be sent again; it then runs again.
  tasks.keep(task, { ...ownerOf(call), request: outcome.state === 'completed' ? request : null });
  return task;
}

/** The task that a message continues. Throws TaskNotFound, InvalidParams, or InvalidRequest if the task has ended. */
function continued(call: Call, message: Message, taskId: string, tasks: Tasks): KeptTask {
  const task = tasks.find(taskId, call.caller);
  if (task === null) throw new RpcFault('TaskNotFound');
  const { state } = task.outcome;
  if (state !== 'input-required')
    throw new RpcFault('InvalidRequest', `the task is ${state} and takes no more messages`);
  if (message.contextId !== undefined && message.contextId !== task.contextId) {
    const problem = 'is not the context of the task';
    throw new RpcFault('InvalidParams', `message.contextId ${problem}`, [
      { path: 'message.contextId', message: problem },
    ]);
  }
  return task;
}

async function run(
  call: Call,
  skill: Skill,
  inputs: Record<string, unknown>,
  { invoke }: MethodServices,
): Promise<Outcome> {
  // Running the operation charges its bucket.
  call.charged = true;
  const invoked = await invoke(call.event, skill.operation, inputs);
  if (invoked.ok) return { state: 'completed', skill: skill.name, envelope: invoked.envelope };
  const { code, message, retryAfterSeconds } = invoked.error;
  if (REFUSED_AT_THE_DOOR.includes(code)) {
    throw new Problem(code, { message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
  }
  return { state: 'failed', skill: skill.name, error: invoked.error };
}

/**
 * Two writing messages are equal if sender, messageId and everything they ask for are equal. The same messageId from
 * another sender, or with other content, is a different message, so that strangers never collide and nothing is
 * refused.
 */
function digestOf(call: Call, { messageId }: Message, routing: Routing): string | null {
  if (routing.skill === null) return null;
  const key = call.event.req.headers.get('x-api-key');
  return sha256(canonicalJson([call.address, key, messageId, routing.skill.name, routing.inputs]));
}

function ownerOf({ address, caller }: Call): Pick<TaskOwner, 'address' | 'caller'> {
  return { address, caller };
}

/** Whether the board shows a one-time token again to whoever repeats this message. */
function isUnguessable({ skill, inputs }: Extract<Routing, { skill: Skill }>, { messageId }: Message): boolean {
  return skill.keyed && holdsRandomUuid(String(inputs.idempotencyKey ?? messageId));
}

/** The caller's own idempotencyKey takes precedence. A messageId that nobody can guess makes a key of that kind. */
function withKey({ keyed }: Skill, inputs: Record<string, unknown>, digest: string | null, { messageId }: Message) {
  if (!keyed || digest === null || (inputs.idempotencyKey ?? null) !== null) return inputs;
  return { ...inputs, idempotencyKey: `a2a-${digest}${holdsRandomUuid(messageId) ? `-${messageId}` : ''}` };
}
