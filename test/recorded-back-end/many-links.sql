-- For record.ts: so many links that a bulk write of them is a job.
INSERT INTO cv_link (network, username, position)
SELECT 'bulk ' || i, 'bulk', 1000 + i FROM generate_series(1, 6000) i;
ANALYZE cv_link;
