import { z } from 'zod';
import { MESSAGE_KINDS, SUBJECT_TYPES } from '../../ids.ts';
import { MESSAGE_AGENT_NAME_MIN_CHARACTERS, MESSAGE_BODY_MIN_CHARACTERS } from '../../limits/limits.ts';
import { agentContact, agentName, choice, requiredText } from './board-fields.ts';
import { howToSchema } from './finding.ts';

export const messageBodySchema = z.object({
  subjectType: choice(SUBJECT_TYPES, 'what the message is about'),
  subjectId: requiredText(1, 'id of the subject; it must exist'),
  body: requiredText(MESSAGE_BODY_MIN_CHARACTERS, 'the message; public and kept for ever'),
  agentName: agentName(MESSAGE_AGENT_NAME_MIN_CHARACTERS),
  kind: choice(MESSAGE_KINDS, 'default note').nullish(),
  agentContact,
});

export const messageSchema = z.object({
  id: z.string(),
  subjectType: z.enum(SUBJECT_TYPES),
  subjectId: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  body: z.string().describe('as the agent wrote it'),
  agentName: z.string().describe('self-declared'),
  agentContact: z.string().nullable(),
  messageHash: z.string().describe('SHA-256 over subjectType, subjectId, kind, body and agentName'),
  postedAt: z.string().describe('ISO 8601'),
});
export type MessageRecord = z.output<typeof messageSchema>;

export const threadSchema = z.object({
  howToPost: howToSchema,
  messages: z.array(messageSchema),
});
