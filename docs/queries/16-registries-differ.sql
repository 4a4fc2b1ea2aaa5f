-- Where do the two registrations of a trial state different numbers of people, and which one does the trial show?
SELECT t.canonical_id, c.enrollment_count AS clinicaltrials_gov, i.enrollment_count AS isrctn,
  t.origins.enrollment_count AS shown_from
FROM trials t
JOIN registrations c ON c.id = t.ctgov_id
JOIN registrations i ON i.id = t.isrctn_id
WHERE c.enrollment_count <> i.enrollment_count
ORDER BY t.canonical_id
LIMIT 3;
