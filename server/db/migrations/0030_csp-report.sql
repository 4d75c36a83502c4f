CREATE TABLE "site_csp_report" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_csp_report_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"directive" text NOT NULL,
	"blocked" text NOT NULL,
	"page" text NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"first_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_csp_report_kind" UNIQUE("directive","blocked","page")
);
--> statement-breakpoint
CREATE INDEX "site_csp_report_last_seen" ON "site_csp_report" USING btree ("last_seen_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
-- By hand: names typed at failed log-ins that belong to no account (people type passwords there). Domains of addresses, and what stands
-- for a deleted account, stay.
UPDATE "audit_entry" SET "username" = NULL
WHERE "user_id" IS NULL AND "action_type" = 'LOGIN' AND "username" IS NOT NULL
  AND "username" !~* '^…@[a-z0-9-]+([.][a-z0-9-]+)*[.][a-z]{2,}$' AND "username" !~ '^deleted account [0-9]+$';
