import type { H3 } from 'h3';
import { z } from 'zod';
import { internalAnswer, internalBody } from '../kit/internal-answer.ts';
import type { Tasks } from './tasks.ts';

const text = z.string().min(1).max(200);
const taskSchema = z.object({
  id: text,
  address: text,
  caller: text,
  request: text.nullable(),
  changedAt: z.int(),
  body: z.string().transform((packed) => Buffer.from(packed, 'base64')),
});
const wantedSchema = z.union([z.object({ id: text, caller: text }), z.object({ request: text })]);
const turnSchema = z.object({ key: text, holder: text }).transform(({ key, holder }) => ({ turn: key, holder }));

/** Mounts what gateways ask of the A2A tasks that they share. */
export function mountTasks(app: H3, tasks: Tasks): void {
  app.get('/internal/a2a-tasks', async (event) => {
    const wanted = wantedSchema.safeParse(Object.fromEntries(event.url.searchParams));
    if (!wanted.success) return internalAnswer(400, {});
    const body = await tasks.find(wanted.data);
    return body === null ? internalAnswer(404, {}) : internalAnswer(200, { body: body.toString('base64') });
  });
  app.post('/internal/a2a-tasks', async (event) => {
    const task = await internalBody(event, taskSchema);
    if (task === null) return internalAnswer(400, {});
    await tasks.put(task);
    return internalAnswer(200, {});
  });
  app.post('/internal/a2a-turns', async (event) => {
    const turn = await internalBody(event, turnSchema);
    return turn === null ? internalAnswer(400, {}) : internalAnswer(200, { taken: await tasks.take(turn) });
  });
  app.post('/internal/a2a-turns/end', async (event) => {
    const turn = await internalBody(event, turnSchema);
    if (turn === null) return internalAnswer(400, {});
    await tasks.end(turn);
    return internalAnswer(200, {});
  });
}
