import type { Connection } from '../../store/database.ts';
import { streamParts } from './part-cursor.ts';
import type { CommonRow, RegistrationRow } from './trial-parts.ts';

/** What the terms of one registration are made from. */
export type RegistrationText = Pick<
  RegistrationRow,
  | 'registry'
  | 'status'
  | 'title'
  | 'official_title'
  | 'acronym'
  | 'sponsor_name'
  | 'conditions'
  | 'countries'
  | 'interventions'
>;

/** What the terms of one trial are made from. */
export interface TrialText {
  row: number;
  merged: Pick<CommonRow, 'status' | 'recruitment_status' | 'phase' | 'study_type' | 'results_available'>;
  /** In the order of REGISTRY_IDS. */
  registrations: RegistrationText[];
}

/** The trials that are asked for in result order, each with what its terms are made from. */
export async function* streamTexts(connection: Connection): AsyncGenerator<TrialText> {
  let open: TrialText | null = null;
  for await (const [rows, bodies] of streamParts(connection, 'term-parts.sql')) {
    for (const [place, row] of (rows as number[]).entries()) {
      const { registration, merged } = JSON.parse(bodies![place] as string) as Part;
      if (open !== null && open.row === row) {
        open.registrations.push(registration);
        continue;
      }
      if (open !== null) yield open;
      open = { row, merged, registrations: [registration] };
    }
  }
  if (open !== null) yield open;
}

interface Part {
  registration: RegistrationText;
  merged: TrialText['merged'];
}
