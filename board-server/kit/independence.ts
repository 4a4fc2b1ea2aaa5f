import type { Independence } from '../../contract/independence.ts';

/** Who speaks: the name as it is compared, and the group of addresses that it came from. */
export interface Voice {
  agentKey: string;
  group: string;
}

/** Whether two voices can agree: another name and, where addresses are looked at, another group. */
export function areIndependent(independence: Independence, one: Voice, other: Voice): boolean {
  return one.agentKey !== other.agentKey && (independence === 'name' || one.group !== other.group);
}
