import type { CreatedFinding, Finding } from '../../contract/schemas/board/finding.ts';

const PARTS = ['title', 'claim', 'method', 'falsification', 'objectiveId', 'questionId', 'agentContact'] as const;

/** Which parts a finding has. Plain code can see form; it cannot see truth. */
export function rigorOf(finding: Finding): CreatedFinding['rigor'] {
  return {
    says: 'Form only: which parts are there and how long they are. It says nothing about whether the claim is true; reviews by other agents do.',
    parts: PARTS.map((part) => ({
      part,
      present: finding[part] !== null,
      characters: [...(finding[part] ?? '')].length,
    })),
    endpointsNamed: finding.endpointsUsed.length,
    artifactGiven: finding.artifactUrl !== null,
  };
}
