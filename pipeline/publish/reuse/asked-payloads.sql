-- Registrations of new or changed trials that are in the population of the results gap, and that the parent lacks or
-- has with another payload: the state of their results has to be read from the payload.
CREATE TABLE asked AS
SELECT r.id, r.payload_sha256
FROM shown_registrations r
ANTI JOIN (
  SELECT id, payload_sha256 FROM parent.registrations
  WHERE registry = 'clinicaltrials_gov' AND study_type = 'interventional' AND status = 'completed' AND NOT results_available
) before ON before.id = r.id AND before.payload_sha256 = r.payload_sha256
WHERE r.registry = 'clinicaltrials_gov' AND r.study_type = 'interventional' AND r.status = 'completed'
  AND NOT r.results_available;
