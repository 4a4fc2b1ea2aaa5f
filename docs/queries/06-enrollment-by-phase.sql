-- How many people does a trial of each phase plan or enrol, in the median?
SELECT phase, count(*) AS trials, CAST(median(enrollment_count) AS INTEGER) AS people
FROM trials
WHERE study_type = 'interventional' AND enrollment_count IS NOT NULL
GROUP BY phase
ORDER BY phase;
