CREATE TABLE "contact_message" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_message_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"email" text NOT NULL,
	"subject" text NOT NULL,
	"message" text NOT NULL,
	"language" text NOT NULL,
	"challenge_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("name", '') || ' ' || coalesce("email", '') || ' ' || coalesce("subject", '') || ' ' || coalesce("message", ''))) STORED,
	CONSTRAINT "contact_message_challenge" UNIQUE("challenge_id")
);
--> statement-breakpoint
CREATE TABLE "sample_row" (
	"model" text NOT NULL,
	"object_id" integer NOT NULL,
	"row_updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sample_row_model_object_id_pk" PRIMARY KEY("model","object_id")
);
--> statement-breakpoint
CREATE TABLE "site_page" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_page_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"slug" text NOT NULL,
	"title" jsonb NOT NULL,
	"body" jsonb NOT NULL,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("slug", '') || ' ' || coalesce("title" ->> 'en', '') || ' ' || coalesce("title" ->> 'tr', '') || ' ' || coalesce("body" ->> 'en', '') || ' ' || coalesce("body" ->> 'tr', ''))) STORED,
	CONSTRAINT "site_page_slug" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "site_seed" (
	"name" text PRIMARY KEY NOT NULL,
	"applied_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_settings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_settings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"author" text,
	"email" text,
	"github_url" text,
	"linkedin_url" text,
	"steam_url" text,
	"map_search_url" text DEFAULT 'https://www.openstreetmap.org/search?query=' NOT NULL,
	"shows_voice_chat" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
ALTER TABLE "cv_certificate" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "cv_confidence" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "cv_education" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "cv_experience" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "cv_link" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "contact_message_created" ON "contact_message" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contact_message_search_trgm" ON "contact_message" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "site_page_search_trgm" ON "site_page" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "site_settings_singleton" ON "site_settings" USING btree ((true));