CREATE TABLE "content_export" (
	"id" uuid PRIMARY KEY NOT NULL,
	"content_type_id" integer NOT NULL,
	"user_id" integer,
	"format" text NOT NULL,
	"file_name" text NOT NULL,
	"status" text NOT NULL,
	"row_count" bigint,
	"byte_count" bigint,
	"sha256" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "health_sample" (
	"taken_at" timestamp with time zone PRIMARY KEY NOT NULL,
	"boot_id" uuid NOT NULL,
	"request_count" integer NOT NULL,
	"response_time_ms" real,
	"memory_bytes" bigint NOT NULL,
	"disk_used_bytes" bigint NOT NULL,
	"disk_total_bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_job_failure" (
	"job_id" uuid NOT NULL,
	"object_id" bigint NOT NULL,
	"object_repr" text NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "content_job_failure_key" PRIMARY KEY("job_id","object_id")
);
--> statement-breakpoint
CREATE TABLE "content_job" (
	"id" uuid PRIMARY KEY NOT NULL,
	"content_type_id" integer NOT NULL,
	"operation" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"user_id" integer,
	"ip_address" text,
	"request_id" text,
	"language" text NOT NULL,
	"scope" jsonb NOT NULL,
	"data" jsonb NOT NULL,
	"snapshot" timestamp with time zone NOT NULL,
	"last_id" bigint DEFAULT 0 NOT NULL,
	"total_count" integer DEFAULT 0 NOT NULL,
	"done_count" integer DEFAULT 0 NOT NULL,
	"affected_count" integer DEFAULT 0 NOT NULL,
	"skipped_count" integer DEFAULT 0 NOT NULL,
	"failed_count" integer DEFAULT 0 NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "search_build" (
	"table_name" text PRIMARY KEY NOT NULL,
	"expression" text NOT NULL,
	"last_id" bigint DEFAULT 0 NOT NULL,
	"is_ready" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mail_suppression" ALTER COLUMN "source" SET DEFAULT 'admin';--> statement-breakpoint
ALTER TABLE "audit_entry" ADD COLUMN "search" text GENERATED ALWAYS AS (foyer_fold(coalesce("username", '') || ' ' || coalesce("object_repr", ''))) STORED;--> statement-breakpoint
ALTER TABLE "mail_message" ADD COLUMN "search" text GENERATED ALWAYS AS (foyer_fold(coalesce("recipient", '') || ' ' || coalesce("kind", ''))) STORED;--> statement-breakpoint
ALTER TABLE "mail_suppression" ADD COLUMN "search" text GENERATED ALWAYS AS (foyer_fold(coalesce("address", '') || ' ' || coalesce("reason", ''))) STORED;--> statement-breakpoint
ALTER TABLE "content_export" ADD CONSTRAINT "content_export_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_job_failure" ADD CONSTRAINT "content_job_failure_job_id_content_job_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."content_job"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_job" ADD CONSTRAINT "content_job_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_export_created" ON "content_export" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "content_export_user" ON "content_export" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "content_job_user" ON "content_job" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "content_job_status" ON "content_job" USING btree ("status");--> statement-breakpoint
CREATE INDEX "audit_entry_id" ON "audit_entry" USING btree ("id");--> statement-breakpoint
CREATE INDEX "audit_entry_action" ON "audit_entry" USING btree ("action_type","timestamp" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_entry_search_trgm" ON "audit_entry" USING gin ("search" gin_trgm_ops) WITH (gin_pending_list_limit=16384);--> statement-breakpoint
CREATE INDEX "audit_entry_typed_name" ON "audit_entry" USING btree (lower("username")) WHERE "audit_entry"."user_id" IS NULL AND "audit_entry"."action_type" = 'LOGIN';--> statement-breakpoint
CREATE INDEX "mail_message_search_trgm" ON "mail_message" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "mail_suppression_created" ON "mail_suppression" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "mail_suppression_search_trgm" ON "mail_suppression" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "account_user_created" ON "account_user" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);