-- The number of a row that goes to the end of an order by hand. Who asks waits until whoever asked before has committed, and then
-- reads the numbers anew: volatile, because the queries of such a function see what was committed meanwhile, and what the
-- statement that calls it has written so far. `place` is a column's name as SQL; 4701926 is this lock's own number.
CREATE FUNCTION foyer_next_place(ordered regclass, place text) RETURNS integer LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(4701926, ordered::oid::integer);
  EXECUTE format('SELECT max(%s) FROM %s', place, ordered) INTO last;
  RETURN least(coalesce(last, 0) + 1, 2147483647);
END $$;
