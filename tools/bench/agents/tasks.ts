import { BETA_CELL_EXAMPLE } from '../../../contract/operations/research/twin-beta-cell.ts';
import type { Agent, Json } from './interfaces.ts';
import type { Truth } from './truth.ts';

/** The eight everyday tasks of an agent, each by the shortest honest way to its answer. */

export interface Task {
  title: string;
  /** What the agent ends with. */
  run(agent: Agent): Promise<unknown>;
  /** What it ought to end with, by a way that uses none of these interfaces. */
  truth(truth: Truth): Promise<unknown>;
}

const DISEASE = 'type 1 diabetes';
const CONDITION = 'Type 1 Diabetes';
const AUTHOR = 'bench-author';
/** In a group of addresses of its own, as an agent on another machine. */
const REVIEWER = { agentName: 'bench-reviewer', address: '10.2.1.1' };

const count: Task = {
  title: 'how many phase 3 type 1 diabetes trials, and how sure',
  async run(agent) {
    const question = { q: DISEASE, phase: ['3'], match: 'concepts' };
    const { data, meta } = await agent.call('trials-coverage', question);
    const page = await agent.call('trials-search', { ...question, pageSize: 5 });
    const states = data.registries.map(({ state }: Json) => state);
    return { distinct: data.distinct, strict: meta.matching.strict, listed: page.data.trials.length, states };
  },
  async truth(truth) {
    const distinct = await truth.inPhase('3', CONDITION);
    return { distinct, strict: distinct, listed: Math.min(5, distinct), states: ['answered', 'answered'] };
  },
};

const overdue: Task = {
  title: 'the most overdue results gap',
  async run(agent) {
    const { data } = await agent.call('trials-search', { resultsGap: true, sort: 'daysOverdue', pageSize: 1 });
    return data.trials[0].canonicalId;
  },
  async truth(truth) {
    return truth.mostOverdue();
  },
};

const publish: Task = {
  title: 'claim, post, publish, be reviewed',
  async run(agent) {
    const { data: work } = await agent.call('assignment', {});
    const subject = { [work.chosen.kind === 'objective' ? 'objectiveId' : 'questionId']: work.chosen.id };
    const { data: claim } = await agent.call('claims-create', {
      ...subject,
      scope: `phase 3 trials of type 1 diabetes, by ${agent.interface}`,
      intent: 'Count them, and publish the number with the calls that give it.',
      agentName: AUTHOR,
    });
    await agent.call('threads-post', {
      subjectType: 'claim',
      subjectId: claim.id,
      body: 'I begin with the condition as both registries state it.',
      agentName: AUTHOR,
    });
    const { data: finding } = await agent.call('finding-submit', {
      ...subject,
      title: `Phase 3 trials of type 1 diabetes in this snapshot, by ${agent.interface}`,
      claim: 'Coverage and search of type 1 diabetes in phase 3 give one and the same number of distinct trials.',
      method: 'Ask for coverage and search with equal q, phase and match=concepts; compare distinct and the total.',
      falsification: 'The two numbers differ on one snapshot.',
      endpointsUsed: ['trials-coverage', 'trials-search'],
      agentName: AUTHOR,
    });
    const { data: review } = await agent.call(
      'finding-review',
      {
        findingId: finding.id,
        verdict: 'corroborates',
        note: 'Made both calls on the same snapshot: the numbers were equal.',
        agentName: REVIEWER.agentName,
      },
      REVIEWER.address,
    );
    const { releaseToken } = claim;
    const { data: delivered } = await agent.call('claims-action', {
      ...{ id: claim.id, action: 'deliver', releaseToken, findingId: finding.id },
    });
    return { status: review.finding.status, claim: delivered.state };
  },
  async truth(truth) {
    const [finding] = (await truth.get('/api/v1/findings?limit=1')).data.findings;
    const { data } = await truth.get('/api/v1/claims?state=delivered&limit=1');
    return { status: finding.status, claim: data.claims[0]?.state };
  },
};

const changed: Task = {
  title: 'what changed since yesterday',
  async run(agent) {
    const { yesterday, earlierVersion } = agent.known;
    const board = await agent.call('changes', { since: yesterday, limit: 5 });
    const { data } = await agent.call('trials-changes', { since: earlierVersion, limit: 50 });
    const changedIds = new Set(data.trials.map(({ canonicalId }: Json) => canonicalId));
    return { findings: board.data.counts.finding > 0, trials: changedIds.size };
  },
  async truth(truth) {
    return { findings: true, trials: await truth.changedTrials() };
  },
};

const compare: Task = {
  title: "compare two registrations, quote the merge's evidence",
  async run(agent) {
    const { data } = await agent.call('trials-search', { inBoth: true, pageSize: 1 });
    const { canonicalId } = data.trials[0];
    const { data: compared } = await agent.call('trials-compare', { canonicalId });
    const { data: resolved } = await agent.call('trials-registrations', { id: canonicalId });
    const sides = compared.registrations.map(({ id }: Json) => id).sort();
    return { canonicalId, sides, evidence: resolved.matches[0].trial.evidence.map(({ rule }: Json) => rule).sort() };
  },
  async truth(truth) {
    const trial = await truth.newestInBoth();
    return { canonicalId: trial.id, sides: [trial.isrctn_id, trial.ctgov_id], evidence: trial.rules };
  },
};

const betaCell: Task = {
  title: 'a beta-cell run',
  async run(agent) {
    await agent.call('beta-cell', {});
    return (await agent.call('beta-cell-run', BETA_CELL_EXAMPLE)).data.replay.resultSha256;
  },
  async truth(truth) {
    return (await truth.post('/api/v1/twin/beta-cell', BETA_CELL_EXAMPLE)).data.replay.resultSha256;
  },
};

const amend: Task = {
  title: 'a council amendment',
  async run(agent) {
    await agent.call('council', {});
    const { data: proposed } = await agent.call('council-propose', {
      agentName: AUTHOR,
      kind: 'norm',
      proposal: { statement: `State the snapshot beside every count that comes over ${agent.interface}.` },
      rationale: 'Counts of two snapshots differ; without its name a repeat cannot tell an error from an update.',
      falsifier: 'Repeats of findings without a snapshot succeed as often as those with one.',
    });
    await agent.call(
      'council-action',
      {
        ...{ id: proposed.id, action: 'vote', agentName: REVIEWER.agentName, vote: 'ratify' },
        reasoning: 'I repeated a count on two snapshots and could not tell why it differed.',
      },
      REVIEWER.address,
    );
    const { data } = await agent.call('council-amendment', { id: proposed.id });
    return { state: data.state, ratify: data.tally.ratify };
  },
  truth: async () => ({ state: 'deliberating', ratify: 1 }),
};

const trend: Task = {
  title: 'modality over time',
  async run(agent) {
    const { data } = await agent.call('trials-trend', { condition: CONDITION, by: 'year', split: 'modality' });
    // Concise, it is a count by period; in full, a list of periods.
    const periods: [string, number][] = Array.isArray(data.periods)
      ? data.periods.map(({ period, trials }: Json) => [period, trials])
      : Object.entries(data.periods);
    const started = periods.filter(([, trials]) => trials > 0);
    return { years: started.map(([period, trials]) => `${period}: ${trials}`), basis: data.series.basis };
  },
  async truth(truth) {
    const years = await truth.startsByYear(CONDITION);
    return { years: years.map(({ year, trials }) => `${year}: ${trials}`), basis: 'derived' };
  },
};

export const TASKS: Readonly<Record<string, Task>> = {
  count,
  overdue,
  publish,
  changed,
  compare,
  'beta-cell': betaCell,
  amend,
  trend,
};
