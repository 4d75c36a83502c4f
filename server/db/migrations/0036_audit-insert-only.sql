-- The ways by which anything is taken out of the audit log, written by hand. A start gives them and the log's tables to a role of
-- their own (server/db/log-owner.ts). They run with that role's rights: they call nothing that the site's role could have made.

-- What the entries of and about one account say of who it was; digests of it stay (server/audit/chain/store.ts).
CREATE FUNCTION foyer_log_forget_person(person integer, person_type integer, names text[], domains text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  pseudonym text := 'deleted account ' || person;
BEGIN
  -- Of an address that belonged to nobody yet the log has the domain alone: from where this person logged in, it was theirs.
  UPDATE public.audit_entry SET
    actor_digest = encode(CASE WHEN actor_salt IS NULL THEN coalesce(decode(actor_digest, 'hex'), '') ELSE sha256(convert_to(jsonb_build_array(actor_salt, username, ip_address)::text, 'UTF8')) END, 'hex'),
    actor_salt = NULL, ip_address = NULL
  WHERE user_id IS NULL AND action_type = 'LOGIN' AND lower(username) = ANY (domains)
    AND ip_address IN (SELECT ip_address FROM public.audit_entry WHERE user_id = person);
  UPDATE public.audit_entry SET
    actor_digest = encode(CASE WHEN actor_salt IS NULL THEN coalesce(decode(actor_digest, 'hex'), '') ELSE sha256(convert_to(jsonb_build_array(actor_salt, username, ip_address)::text, 'UTF8')) END, 'hex'),
    actor_salt = NULL, username = pseudonym, ip_address = NULL
  WHERE user_id = person;
  -- Of entries about somebody the address goes only where nobody was signed in.
  UPDATE public.audit_entry SET
    object_digest = encode(CASE WHEN object_salt IS NULL THEN coalesce(decode(object_digest, 'hex'), '') ELSE sha256(convert_to(jsonb_build_array(object_salt, object_repr, change_message, changes)::text, 'UTF8')) END, 'hex'),
    object_salt = NULL, object_repr = pseudonym, changes = NULL, change_message = '',
    actor_digest = CASE WHEN user_id IS NULL THEN encode(CASE WHEN actor_salt IS NULL THEN coalesce(decode(actor_digest, 'hex'), '') ELSE sha256(convert_to(jsonb_build_array(actor_salt, username, ip_address)::text, 'UTF8')) END, 'hex') ELSE actor_digest END,
    actor_salt = CASE WHEN user_id IS NOT NULL THEN actor_salt END,
    ip_address = CASE WHEN user_id IS NOT NULL THEN ip_address END
  WHERE content_type_id = person_type AND object_id = person::text;
  UPDATE public.audit_entry SET
    actor_digest = encode(CASE WHEN actor_salt IS NULL THEN coalesce(decode(actor_digest, 'hex'), '') ELSE sha256(convert_to(jsonb_build_array(actor_salt, username, ip_address)::text, 'UTF8')) END, 'hex'),
    actor_salt = NULL, username = pseudonym, ip_address = NULL
  WHERE user_id IS NULL AND action_type = 'LOGIN' AND lower(username) = ANY (names);
END $$;
--> statement-breakpoint
-- What entries say of some objects of a model; that something happened, and by whom, stays.
CREATE FUNCTION foyer_log_forget_objects(type_id integer, object_ids text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.audit_entry SET
    object_digest = encode(CASE WHEN object_salt IS NULL THEN coalesce(decode(object_digest, 'hex'), '') ELSE sha256(convert_to(jsonb_build_array(object_salt, object_repr, change_message, changes)::text, 'UTF8')) END, 'hex'),
    object_salt = NULL, object_repr = NULL, changes = NULL, change_message = '',
    actor_digest = CASE WHEN user_id IS NULL THEN encode(CASE WHEN actor_salt IS NULL THEN coalesce(decode(actor_digest, 'hex'), '') ELSE sha256(convert_to(jsonb_build_array(actor_salt, username, ip_address)::text, 'UTF8')) END, 'hex') ELSE actor_digest END,
    actor_salt = CASE WHEN user_id IS NOT NULL THEN actor_salt END,
    ip_address = CASE WHEN user_id IS NOT NULL THEN ip_address END
  WHERE content_type_id = type_id AND object_id = ANY (object_ids);
END $$;
--> statement-breakpoint
-- Messages about a model, and the values beside them, that hold one of some words in lower case, such as an address.
CREATE FUNCTION foyer_log_forget_words(type_id integer, words text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.audit_entry SET
    object_digest = encode(CASE WHEN object_salt IS NULL THEN coalesce(decode(object_digest, 'hex'), '') ELSE sha256(convert_to(jsonb_build_array(object_salt, object_repr, change_message, changes)::text, 'UTF8')) END, 'hex'),
    object_salt = NULL, change_message = '', changes = NULL
  WHERE content_type_id = type_id
    AND EXISTS (SELECT FROM unnest(words) AS word WHERE word <> '' AND position(word IN lower(change_message)) > 0);
END $$;
--> statement-breakpoint
-- A month's part, unless it is there or the default part already holds rows of its time. Whoever comes waits behind such a change,
-- so it gives up soon (55P03).
CREATE FUNCTION foyer_log_add_month(month date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' SET timezone = 'UTC' AS $$
DECLARE
  part text := 'audit_entry_' || to_char(month, 'YYYY_MM');
  begins timestamptz := date_trunc('month', month::timestamp);
  ends timestamptz := date_trunc('month', month::timestamp) + interval '1 month';
BEGIN
  PERFORM pg_advisory_xact_lock(4701921);
  IF to_regclass('public.' || part) IS NULL
     AND NOT EXISTS (SELECT FROM public.audit_entry_default WHERE timestamp >= begins AND timestamp < ends) THEN
    EXECUTE format('CREATE TABLE public.%I PARTITION OF public.audit_entry FOR VALUES FROM (%L) TO (%L)', part, begins, ends);
  END IF;
END $$;
--> statement-breakpoint
-- The shortest retention is of the current month and the one before it: nothing younger than four weeks ever goes.
CREATE FUNCTION foyer_log_check_age(before timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF before IS NULL OR before > now() - interval '28 days' THEN
    RAISE EXCEPTION 'entries of the audit log stay for four weeks at least' USING ERRCODE = '42501';
  END IF;
END $$;
--> statement-breakpoint
-- The oldest part of a month that ended before a moment. Gives its name; null: there is none.
CREATE FUNCTION foyer_log_drop_month(before timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' SET timezone = 'UTC' AS $$
DECLARE
  part text;
BEGIN
  PERFORM public.foyer_log_check_age(before);
  SELECT c.relname INTO part FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'public.audit_entry'::regclass AND c.relnamespace = 'public'::regnamespace
    AND c.relname ~ '^audit_entry_\d{4}_\d{2}$' AND c.relname < 'audit_entry_' || to_char(before, 'YYYY_MM')
  ORDER BY c.relname LIMIT 1;
  IF part IS NOT NULL THEN
    EXECUTE format('DROP TABLE IF EXISTS public.%I', part);
  END IF;
  RETURN part;
END $$;
--> statement-breakpoint
-- Entries from before a moment that no month had a part for. Gives how many.
CREATE FUNCTION foyer_log_delete_rest(before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone bigint;
BEGIN
  PERFORM public.foyer_log_check_age(before);
  DELETE FROM public.audit_entry_default WHERE timestamp < before;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
--> statement-breakpoint
-- What the retention is about to take of a seal: it only ever becomes more.
CREATE FUNCTION foyer_log_note_gone(seal bigint, taken text, taken_signature text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.audit_seal SET gone = taken, gone_signature = taken_signature
  WHERE id = seal AND gone IS DISTINCT FROM 'all' AND (taken = 'all' OR gone IS NULL OR starts_with(taken, gone));
END $$;
