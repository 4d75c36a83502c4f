CREATE TABLE "mail_bounce" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_bounce_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"message_id" integer NOT NULL,
	"email_address" text NOT NULL,
	"feedback_id" text,
	"contact_message_id" integer,
	"mail_kind" text NOT NULL,
	"source" text NOT NULL,
	"verdict" text NOT NULL,
	"is_processed" boolean DEFAULT false NOT NULL,
	"processed_at" timestamp with time zone,
	"processed_by_id" integer,
	"unsubscribed_by" text,
	"suppression_id" integer,
	"batch_id" text,
	"before" jsonb,
	"owner_id" integer,
	"note" text,
	"bounce_type" text NOT NULL,
	"bounce_subtype" text NOT NULL,
	"status_code" text,
	"diagnostic_code" text,
	"bounced_at" timestamp with time zone NOT NULL,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("email_address", '') || ' ' || coalesce("diagnostic_code", ''))) STORED,
	CONSTRAINT "mail_bounce_message" UNIQUE("message_id")
);
--> statement-breakpoint
CREATE TABLE "mail_complaint" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_complaint_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"message_id" integer NOT NULL,
	"email_address" text NOT NULL,
	"feedback_id" text,
	"contact_message_id" integer,
	"mail_kind" text NOT NULL,
	"source" text NOT NULL,
	"verdict" text NOT NULL,
	"is_processed" boolean DEFAULT false NOT NULL,
	"processed_at" timestamp with time zone,
	"processed_by_id" integer,
	"unsubscribed_by" text,
	"suppression_id" integer,
	"batch_id" text,
	"before" jsonb,
	"owner_id" integer,
	"note" text,
	"feedback_type" text NOT NULL,
	"raw_feedback_type" text,
	"user_agent" text,
	"complained_at" timestamp with time zone NOT NULL,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("email_address", '') || ' ' || coalesce("user_agent", ''))) STORED,
	CONSTRAINT "mail_complaint_message" UNIQUE("message_id")
);
--> statement-breakpoint
CREATE TABLE "mail_event" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"message_id" integer,
	"report_id" integer,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"event_key" text NOT NULL,
	"recipient" text NOT NULL,
	"recipient_key" text NOT NULL,
	"occurred_at" timestamp with time zone,
	"provider_id" text,
	"bounce_type" text,
	"bounce_subtype" text,
	"is_certain" boolean,
	"status_code" text,
	"diagnostic" text,
	"feedback_type" text,
	"user_agent" text,
	"candidates" integer,
	"feedback_id" text,
	"reporting_server" text,
	"parser_version" integer NOT NULL,
	"superseded_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "mail_report" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_report_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"received_at" timestamp with time zone NOT NULL,
	"source" text NOT NULL,
	"report_key" text NOT NULL,
	"content" jsonb NOT NULL,
	"state" text DEFAULT 'new' NOT NULL,
	"error" text,
	"parser_version" integer,
	CONSTRAINT "mail_report_once" UNIQUE("source","report_key")
);
--> statement-breakpoint
CREATE TABLE "mail_source" (
	"name" text PRIMARY KEY NOT NULL,
	"refused_at" timestamp with time zone,
	"refusal" text,
	"confirmation_url" text,
	"confirmation_topic" text,
	"confirmation_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "mail_suppression_change" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_suppression_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"batch_id" text NOT NULL,
	"address" text NOT NULL,
	"scope" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"actor_id" integer,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
DROP INDEX "mail_message_recipient";--> statement-breakpoint
ALTER TABLE "mail_message" ADD COLUMN "report_token" text;--> statement-breakpoint
ALTER TABLE "mail_message" ADD COLUMN "recipient_key" text;--> statement-breakpoint
ALTER TABLE "mail_message" ADD COLUMN "handed_over_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mail_message" ADD COLUMN "delivery_state" text DEFAULT 'pending' NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_message" ADD COLUMN "delivered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mail_message" ADD COLUMN "failure_reason" text;--> statement-breakpoint
-- Mails that are there get what new ones are made with. Their return paths held the other token: a report of them can't be proven.
-- "C" makes the same of ASCII letters whatever the database's language is.
UPDATE "mail_message" SET
  "report_token" = substr(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 20, 24),
  "recipient_key" = lower("recipient" COLLATE "C"),
  "handed_over_at" = "sent_at",
  "delivery_state" = CASE "status" WHEN 'sending' THEN 'pending' ELSE "status" END,
  "failure_reason" = CASE "status" WHEN 'failed' THEN "response" END;--> statement-breakpoint
ALTER TABLE "mail_message" ALTER COLUMN "report_token" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_message" ALTER COLUMN "recipient_key" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_suppression" ADD COLUMN "source_event_id" integer;--> statement-breakpoint
ALTER TABLE "mail_bounce" ADD CONSTRAINT "mail_bounce_message_id_mail_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."mail_message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_bounce" ADD CONSTRAINT "mail_bounce_contact_message_id_contact_message_id_fk" FOREIGN KEY ("contact_message_id") REFERENCES "public"."contact_message"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_bounce" ADD CONSTRAINT "mail_bounce_processed_by_id_account_user_id_fk" FOREIGN KEY ("processed_by_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_bounce" ADD CONSTRAINT "mail_bounce_suppression_id_mail_suppression_id_fk" FOREIGN KEY ("suppression_id") REFERENCES "public"."mail_suppression"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_bounce" ADD CONSTRAINT "mail_bounce_owner_id_account_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_complaint" ADD CONSTRAINT "mail_complaint_message_id_mail_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."mail_message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_complaint" ADD CONSTRAINT "mail_complaint_contact_message_id_contact_message_id_fk" FOREIGN KEY ("contact_message_id") REFERENCES "public"."contact_message"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_complaint" ADD CONSTRAINT "mail_complaint_processed_by_id_account_user_id_fk" FOREIGN KEY ("processed_by_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_complaint" ADD CONSTRAINT "mail_complaint_suppression_id_mail_suppression_id_fk" FOREIGN KEY ("suppression_id") REFERENCES "public"."mail_suppression"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_complaint" ADD CONSTRAINT "mail_complaint_owner_id_account_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_event" ADD CONSTRAINT "mail_event_message_id_mail_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."mail_message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_event" ADD CONSTRAINT "mail_event_report_id_mail_report_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."mail_report"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_suppression_change" ADD CONSTRAINT "mail_suppression_change_actor_id_account_user_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_bounce_bounced" ON "mail_bounce" USING btree ("bounced_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "mail_bounce_open" ON "mail_bounce" USING btree ("is_processed","bounced_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "mail_bounce_contact" ON "mail_bounce" USING btree ("contact_message_id");--> statement-breakpoint
CREATE INDEX "mail_bounce_suppression" ON "mail_bounce" USING btree ("suppression_id");--> statement-breakpoint
CREATE INDEX "mail_bounce_owner" ON "mail_bounce" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "mail_bounce_processed_by" ON "mail_bounce" USING btree ("processed_by_id");--> statement-breakpoint
CREATE INDEX "mail_bounce_search_trgm" ON "mail_bounce" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "mail_complaint_complained" ON "mail_complaint" USING btree ("complained_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "mail_complaint_open" ON "mail_complaint" USING btree ("is_processed","complained_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "mail_complaint_contact" ON "mail_complaint" USING btree ("contact_message_id");--> statement-breakpoint
CREATE INDEX "mail_complaint_suppression" ON "mail_complaint" USING btree ("suppression_id");--> statement-breakpoint
CREATE INDEX "mail_complaint_owner" ON "mail_complaint" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "mail_complaint_processed_by" ON "mail_complaint" USING btree ("processed_by_id");--> statement-breakpoint
CREATE INDEX "mail_complaint_search_trgm" ON "mail_complaint" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "mail_event_once" ON "mail_event" USING btree ("source","event_key","recipient_key") WHERE "mail_event"."superseded_at" IS NULL;--> statement-breakpoint
CREATE INDEX "mail_event_message" ON "mail_event" USING btree ("message_id","id");--> statement-breakpoint
CREATE INDEX "mail_event_report" ON "mail_event" USING btree ("report_id");--> statement-breakpoint
CREATE INDEX "mail_event_unmatched" ON "mail_event" USING btree ("provider_id") WHERE "mail_event"."message_id" IS NULL;--> statement-breakpoint
CREATE INDEX "mail_event_created" ON "mail_event" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "mail_report_unread" ON "mail_report" USING btree ("id") WHERE "mail_report"."state" = 'new';--> statement-breakpoint
CREATE INDEX "mail_report_received" ON "mail_report" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "mail_suppression_change_batch" ON "mail_suppression_change" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "mail_suppression_change_created" ON "mail_suppression_change" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mail_suppression_change_actor" ON "mail_suppression_change" USING btree ("actor_id");--> statement-breakpoint
ALTER TABLE "mail_suppression" ADD CONSTRAINT "mail_suppression_source_event_id_mail_event_id_fk" FOREIGN KEY ("source_event_id") REFERENCES "public"."mail_event"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_message_handed_over" ON "mail_message" USING btree ("handed_over_at","delivery_state");--> statement-breakpoint
CREATE INDEX "mail_message_message_id" ON "mail_message" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "mail_suppression_event" ON "mail_suppression" USING btree ("source_event_id");--> statement-breakpoint
CREATE INDEX "mail_message_recipient" ON "mail_message" USING btree ("recipient_key","created_at");--> statement-breakpoint
ALTER TABLE "mail_message" ADD CONSTRAINT "mail_message_report_token" UNIQUE("report_token");--> statement-breakpoint
-- Their steps are events from now on, so that figures begin with what was sent and not with zero.
INSERT INTO "mail_event" ("created_at", "occurred_at", "message_id", "kind", "source", "event_key", "recipient", "recipient_key",
                          "diagnostic", "parser_version")
SELECT step."at", step."at", "id", step."kind", 'outbox', "id" || ' ' || step."kind", "recipient",
       CASE "recipient" WHEN '' THEN 'forgotten ' || "id" ELSE "recipient_key" END, step."said", 0
FROM "mail_message", LATERAL (VALUES
  ('queued', "created_at", NULL),
  ('sent', "sent_at", "response"),
  ('failed', CASE "status" WHEN 'failed' THEN "updated_at" END, "response")
) AS step("kind", "at", "said")
WHERE step."at" IS NOT NULL ORDER BY step."at";
