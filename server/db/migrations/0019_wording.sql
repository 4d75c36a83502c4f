CREATE TABLE "site_wording" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_wording_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"contact_intro" jsonb,
	"contact_thanks" jsonb,
	"shows_reply_time" boolean DEFAULT true NOT NULL,
	"reply_time" jsonb,
	"contact_ways" jsonb,
	"contact_follow" jsonb,
	"receipt" jsonb,
	"mail_greeting" jsonb,
	"mail_signature" jsonb
);
--> statement-breakpoint
CREATE UNIQUE INDEX "site_wording_singleton" ON "site_wording" USING btree ((true));