import { join } from 'node:path';
import type { RegistryId } from '../../../contract/ids.ts';
import type { MeshTerm } from '../../../snapshot/terminology/record-concepts.ts';
import type { Connection } from '../../store/database.ts';
import { queryText, streamByRow } from './image-tables.ts';

/** The texts and values of a registration from which terms are made. */
export interface RegistrationText {
  registry: RegistryId;
  status: string;
  title: string | null;
  official_title: string | null;
  acronym: string | null;
  sponsor_name: string | null;
  conditions: string[];
  keywords: string[];
  condition_mesh: MeshTerm[];
  condition_mesh_ancestors: MeshTerm[];
  intervention_mesh: MeshTerm[];
  intervention_mesh_ancestors: MeshTerm[];
  countries: string[];
  interventions: { type: string | null; name: string | null; other_names: string[]; description: string | null }[];
  sex: string;
  healthy_volunteers: boolean | null;
  /** Each once. */
  sites: { country: string | null; city: string | null; status: string | null }[];
  /** Names of sponsors, collaborators and funders. */
  organisations: string[];
}

/** The texts and values of a trial from which terms are made. */
export interface TrialText {
  row: number;
  merged: {
    status: string;
    recruitment_status: string;
    phase: string;
    study_type: string;
    sponsor_class: string;
    results_available: boolean;
  };
  /** In the order of REGISTRY_IDS. */
  registrations: RegistrationText[];
}

/** The trials of members in result order, with their texts and values. `scratch` is an existing folder. */
export async function* streamTexts(connection: Connection, scratch: string): AsyncGenerator<TrialText> {
  const sql = await queryText('term-parts.sql');
  for await (const { row, parts } of streamByRow(connection, sql, join(scratch, 'term-parts'), ['registry'])) {
    const read = parts.map(([, body]) => JSON.parse(body as string) as Part);
    yield { row, merged: read[0]!.merged, registrations: read.map(({ registration }) => registration) };
  }
}

interface Part {
  registration: RegistrationText;
  merged: TrialText['merged'];
}
