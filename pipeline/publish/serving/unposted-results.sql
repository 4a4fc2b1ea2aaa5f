-- Registrations whose record says more of results that are not posted. Texts are looked for before any JSON is parsed:
-- few records hold either field. They are looked for behind the grouping, which a filter would be moved before: `payloads`
-- reads every record and leaves a few, and looking through a text costs more than reading it. Events stand oldest first;
-- UNRELEASE takes a submission back, RESET returns it with the comments of quality control.
SELECT id,
  bool_or(
    CASE WHEN contains(payload, '"unpostedEvents"') THEN coalesce(json_extract_string(
      payload, '$.annotationSection.annotationModule.unpostedAnnotation.unpostedEvents[#-1].type'
    ) <> 'UNRELEASE', false) ELSE false END
  ) AS submitted,
  bool_or(
    CASE WHEN contains(payload, '"dispFirstSubmitDate"')
    THEN json_extract_string(payload, '$.protocolSection.statusModule.dispFirstSubmitDate') IS NOT NULL
    ELSE false END
  ) AS certificate
FROM payloads
WHERE registry = 'clinicaltrials_gov'
GROUP BY id HAVING submitted OR certificate
ORDER BY id
