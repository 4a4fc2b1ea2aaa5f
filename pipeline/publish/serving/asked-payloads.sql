-- Registrations of the trials asked for that are in the population of the results gap and were not in the parent, or not
-- with the same payload: what their record says of results that are not posted has to be read.
CREATE TABLE asked AS
SELECT r.id, r.payload_sha256
FROM shown_registrations r
ANTI JOIN (
  SELECT id, payload_sha256 FROM parent.registrations
  WHERE registry = 'clinicaltrials_gov' AND study_type = 'interventional' AND status = 'completed' AND NOT results_available
) before ON before.id = r.id AND before.payload_sha256 = r.payload_sha256
WHERE r.registry = 'clinicaltrials_gov' AND r.study_type = 'interventional' AND r.status = 'completed'
  AND NOT r.results_available;
