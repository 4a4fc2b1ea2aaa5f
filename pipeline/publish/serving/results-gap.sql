-- Completed interventional registrations of ClinicalTrials.gov without posted results, as `isInGap` has them, with what each record states
-- about results that are not posted.
WITH gap AS (
  SELECT r.id, m.canonical_id, m."row", r.payload_sha256,
    coalesce(r.title, r.official_title, '') AS title, r.primary_completion_date, r.completion_date
  FROM registrations r JOIN members m ON m.registry = r.registry AND m.registration_id = r.id
  WHERE r.registry = 'clinicaltrials_gov' AND r.study_type = 'interventional' AND r.status = 'completed'
    AND NOT r.results_available
), states AS (
  -- Texts are searched before any JSON is parsed, since few records have either field. The search is behind the grouping, because a
  -- filter would be moved before the join, which reads every record and keeps a few, and searching a text costs more than reading it.
  -- Events are sorted oldest first; UNRELEASE takes a submission back, RESET returns it with the comments of quality control. A part
  -- file may hold payloads that no registration names any more.
  SELECT p.id,
    bool_or(
      CASE WHEN contains(p.payload, '"unpostedEvents"') THEN coalesce(json_extract_string(
        p.payload, '$.annotationSection.annotationModule.unpostedAnnotation.unpostedEvents[#-1].type'
      ) <> 'UNRELEASE', false) ELSE false END
    ) AS submitted,
    bool_or(
      CASE WHEN contains(p.payload, '"dispFirstSubmitDate"')
      THEN json_extract_string(p.payload, '$.protocolSection.statusModule.dispFirstSubmitDate') IS NOT NULL
      ELSE false END
    ) AS certificate
  FROM read_parquet({payloads}) p SEMI JOIN gap ON gap.id = p.id AND gap.payload_sha256 = p.payload_sha256
  WHERE p.registry = 'clinicaltrials_gov'
  GROUP BY p.id
)
SELECT gap.id AS "nctId", gap.canonical_id AS "canonicalId", gap."row", gap.title,
  gap.primary_completion_date AS "primaryCompletion", gap.completion_date AS completion,
  CASE WHEN states.submitted THEN 'submitted_qc' WHEN states.certificate THEN 'delayed_certificate' ELSE 'none' END AS state
FROM gap LEFT JOIN states USING (id)
ORDER BY gap.id
