CREATE TABLE "account_code" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_code_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"user_id" integer,
	"code_hash" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "account_code_purpose" UNIQUE("purpose","email")
);
--> statement-breakpoint
CREATE TABLE "mail_message" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_message_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"token" text NOT NULL,
	"message_id" text NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"language" text NOT NULL,
	"vars" jsonb NOT NULL,
	"secret" text,
	"dedupe_key" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"response" text,
	"contact_message_id" integer,
	"user_id" integer,
	CONSTRAINT "mail_message_token" UNIQUE("token"),
	CONSTRAINT "mail_message_dedupe" UNIQUE("dedupe_key")
);
--> statement-breakpoint
CREATE TABLE "mail_suppression" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_suppression_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"address" text NOT NULL,
	"scope" text NOT NULL,
	"reason" text NOT NULL,
	"source" text NOT NULL,
	"created_by_id" integer,
	"expires_at" timestamp with time zone,
	CONSTRAINT "mail_suppression_address" UNIQUE("address","scope")
);
--> statement-breakpoint
DROP INDEX "account_user_email";--> statement-breakpoint
ALTER TABLE "account_user" ALTER COLUMN "admin_language" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "account_user" ALTER COLUMN "admin_language" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "bio" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "avatar" text;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "cover" text;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "voice_preferences" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "notification_preferences" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "privacy_settings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "voice_status" text DEFAULT 'online' NOT NULL;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "pending_email" text;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "registration_ticket_hash" text;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "last_admin_login_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account_code" ADD CONSTRAINT "account_code_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_message" ADD CONSTRAINT "mail_message_contact_message_id_contact_message_id_fk" FOREIGN KEY ("contact_message_id") REFERENCES "public"."contact_message"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_message" ADD CONSTRAINT "mail_message_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_suppression" ADD CONSTRAINT "mail_suppression_created_by_id_account_user_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_code_user" ON "account_code" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mail_message_due" ON "mail_message" USING btree ("next_attempt_at") WHERE "mail_message"."status" IN ('pending', 'sending');--> statement-breakpoint
CREATE INDEX "mail_message_created" ON "mail_message" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "mail_message_contact" ON "mail_message" USING btree ("contact_message_id");--> statement-breakpoint
CREATE INDEX "mail_message_user" ON "mail_message" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mail_message_recipient" ON "mail_message" USING btree (lower("recipient"));--> statement-breakpoint
CREATE INDEX "mail_suppression_created_by" ON "mail_suppression" USING btree ("created_by_id");--> statement-breakpoint
CREATE INDEX "account_user_claimed_email" ON "account_user" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "account_user_email" ON "account_user" USING btree (lower("email")) WHERE "account_user"."is_email_verified";