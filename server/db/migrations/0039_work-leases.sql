CREATE TABLE "work_lease" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"fence" bigint DEFAULT 1 NOT NULL,
	"note" text
);
--> statement-breakpoint
ALTER TABLE "content_export" ADD COLUMN "process_id" uuid;--> statement-breakpoint
ALTER TABLE "content_job" ADD COLUMN "fence" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "health_sample" ADD COLUMN "process" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "health_sample" DROP CONSTRAINT "health_sample_pkey";--> statement-breakpoint
ALTER TABLE "health_sample" ADD CONSTRAINT "health_sample_key" PRIMARY KEY("taken_at","process");
