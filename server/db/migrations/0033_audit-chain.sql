CREATE TABLE "audit_seal" (
	"id" bigint PRIMARY KEY NOT NULL,
	"after_entry" bigint NOT NULL,
	"last_entry" bigint NOT NULL,
	"entries" integer NOT NULL,
	"root" text NOT NULL,
	"listing" "bytea" NOT NULL,
	"previous_hash" text NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL,
	"hash" text NOT NULL,
	"signature" text NOT NULL,
	"gone" text,
	"gone_signature" text
);
--> statement-breakpoint
-- One statement, for each that gives every row a salt writes the whole log anew.
ALTER TABLE "audit_entry" ADD COLUMN "actor_salt" uuid DEFAULT gen_random_uuid(), ADD COLUMN "object_salt" uuid DEFAULT gen_random_uuid(),
  ADD COLUMN "actor_digest" text, ADD COLUMN "object_digest" text;