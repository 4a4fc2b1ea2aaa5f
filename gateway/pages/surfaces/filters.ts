import { subjectName } from '../board/names.ts';

/** Filters that links of other pages set. */

export const onWork = [
  { name: 'objectiveId', title: 'objective', called: (id: string) => subjectName('objective', id) },
  { name: 'questionId', title: 'question', called: (id: string) => subjectName('question', id) },
] as const;

export const byAgent = { name: 'agentName', title: 'agent' } as const;
