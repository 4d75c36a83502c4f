-- What tables and indexes stand on. Written by hand.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Folds a text for searching: marks stripped (İ becomes I, ş becomes s), dotless ı to i, lower case in C. "IŞIK" and "ışık" fold alike.
CREATE FUNCTION foyer_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT lower(translate(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'), 'ı', 'i') COLLATE "C")
$$;
