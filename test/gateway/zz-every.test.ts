import { test } from 'vitest';
import { everyAnswer } from '../../bench/agents/every-answer.ts';
import { openOrigin } from '../support/origin.ts';
test('x', async () => {
  await using origin = await openOrigin();
  const call = async (name: string, given: object, { address, apiKey }: any) => {
    const { body } = await origin.send('/api/v1/mcp/x/all', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }, { accept: 'application/json, text/event-stream', 'x-forwarded-for': address, ...(apiKey && { 'x-api-key': apiKey }) });
    if (body.result === undefined || body.result.isError) { console.log('ERR', name, JSON.stringify(body).slice(0, 500)); return { structuredContent: {data: {}}, content: [{text: ''}] }; }
    return body.result;
  };
  const all = await everyAnswer(call as any);
  for (const { id, characters, budget } of all) { const t = Math.ceil(characters/4); console.log(id, t, budget, t > budget ? 'OVER' : ''); }
}, 100000);
