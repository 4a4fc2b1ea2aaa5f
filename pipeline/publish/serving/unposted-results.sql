-- Registrations whose record has a state of results that are not posted. Texts are searched before any JSON is parsed,
-- since few records have either field. The search is behind the grouping, because a filter would be moved before it:
-- `payloads` reads every record and keeps a few, and searching a text costs more than reading it. Events are sorted
-- oldest first; UNRELEASE takes a submission back, RESET returns it with the comments of quality control.
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
