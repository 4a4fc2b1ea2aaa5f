import type { Intervention, Registration } from '../../snapshot-format/registration.ts';
import type { DerivedFields } from './isrctn-status.ts';

type Row = Record<string, unknown>;

function interventionRow(intervention: Intervention): Row {
  const { type, name, otherNames, description } = intervention;
  return { type, name, other_names: otherNames, description };
}

/** The columns that hold what an ISRCTN record's status derivation gives. */
export function derivedRow(fields: DerivedFields): Row {
  return {
    status: fields.status,
    recruitment_status: fields.recruitmentStatus,
    status_raw: fields.statusRaw,
    status_basis: fields.statusBasis,
    enrollment_count: fields.enrollmentCount,
    enrollment_type: fields.enrollmentType,
    enrollment_raw: fields.enrollmentRaw,
    enrollment_note: fields.enrollmentNote,
  };
}

/** A registration as a row of the table `registrations`, without `raw_part`, which is known later. */
export function registrationRow(registration: Registration): Row {
  const { dates } = registration;
  return {
    registry: registration.registry,
    id: registration.id,
    url: registration.url,
    aliases: registration.aliases,
    payload_sha256: registration.payloadSha256,
    retrieved_at: registration.retrievedAt,
    source_version: registration.sourceVersion,
    title: registration.title,
    official_title: registration.officialTitle,
    acronym: registration.acronym,
    ...derivedRow(registration),
    phase: registration.phase,
    phase_raw: registration.phaseRaw,
    study_type: registration.studyType,
    study_type_raw: registration.studyTypeRaw,
    sponsor_name: registration.sponsorName,
    sponsor_class: registration.sponsorClass,
    sponsor_class_raw: registration.sponsorClassRaw,
    countries: registration.countries,
    countries_raw: registration.countriesRaw,
    conditions: registration.conditions,
    interventions: registration.interventions.map(interventionRow),
    primary_endpoints: registration.primaryEndpoints.map(({ measure, timeFrame }) => ({
      measure,
      time_frame: timeFrame,
    })),
    start_date: dates.start,
    primary_completion_date: dates.primaryCompletion,
    completion_date: dates.completion,
    first_posted_date: dates.firstPosted,
    last_updated_date: dates.lastUpdated,
    results_posted_date: dates.resultsPosted,
    results_available: registration.resultsAvailable,
    results_basis: registration.resultsBasis,
    eligibility_text: registration.eligibilityText,
  };
}
