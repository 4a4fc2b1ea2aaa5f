-- Registrations whose record says more of results that are not posted. Texts are looked for before any JSON is parsed:
-- few records hold either field. Events stand oldest first; UNRELEASE takes a submission back, RESET returns it with
-- the comments of quality control.
SELECT id,
  coalesce(json_extract_string(
    payload, '$.annotationSection.annotationModule.unpostedAnnotation.unpostedEvents[#-1].type'
  ) <> 'UNRELEASE', false) AS submitted,
  json_extract_string(payload, '$.protocolSection.statusModule.dispFirstSubmitDate') IS NOT NULL AS certificate
FROM payloads
WHERE registry = 'clinicaltrials_gov'
  AND (contains(payload, '"unpostedEvents"') OR contains(payload, '"dispFirstSubmitDate"'))
ORDER BY id
