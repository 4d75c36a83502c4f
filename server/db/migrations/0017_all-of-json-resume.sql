CREATE TABLE "cv_award" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_award_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"title" jsonb,
	"awarder" jsonb,
	"awarded_on" text,
	"description" jsonb,
	"position" integer DEFAULT 0 NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("title" ->> 'en', '') || ' ' || coalesce("title" ->> 'tr', '') || ' ' || coalesce("awarder" ->> 'en', '') || ' ' || coalesce("awarder" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "cv_interest" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_interest_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"name" jsonb,
	"keywords" jsonb,
	"position" integer DEFAULT 0 NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("name" ->> 'en', '') || ' ' || coalesce("name" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "cv_language" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_language_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"language" jsonb,
	"fluency" jsonb,
	"position" integer DEFAULT 0 NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("language" ->> 'en', '') || ' ' || coalesce("language" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "cv_project" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_project_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"name" jsonb,
	"entity" jsonb,
	"type" jsonb,
	"roles" jsonb,
	"url" text,
	"start_date" text,
	"end_date" text,
	"description" jsonb,
	"highlights" jsonb,
	"keywords" jsonb,
	"position" integer DEFAULT 0 NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("name" ->> 'en', '') || ' ' || coalesce("name" ->> 'tr', '') || ' ' || coalesce("entity" ->> 'en', '') || ' ' || coalesce("entity" ->> 'tr', '') || ' ' || coalesce("description" ->> 'en', '') || ' ' || coalesce("description" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "cv_publication" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_publication_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"name" jsonb,
	"publisher" jsonb,
	"released_on" text,
	"url" text,
	"description" jsonb,
	"position" integer DEFAULT 0 NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("name" ->> 'en', '') || ' ' || coalesce("name" ->> 'tr', '') || ' ' || coalesce("publisher" ->> 'en', '') || ' ' || coalesce("publisher" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "cv_reference" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_reference_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"name" jsonb,
	"reference" jsonb,
	"position" integer DEFAULT 0 NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("name" ->> 'en', '') || ' ' || coalesce("name" ->> 'tr', '') || ' ' || coalesce("reference" ->> 'en', '') || ' ' || coalesce("reference" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "cv_volunteer" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_volunteer_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"organization" jsonb,
	"role" jsonb,
	"url" text,
	"start_date" text,
	"end_date" text,
	"description" jsonb,
	"highlights" jsonb,
	"position" integer DEFAULT 0 NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("organization" ->> 'en', '') || ' ' || coalesce("organization" ->> 'tr', '') || ' ' || coalesce("role" ->> 'en', '') || ' ' || coalesce("role" ->> 'tr', '') || ' ' || coalesce("description" ->> 'en', '') || ' ' || coalesce("description" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
ALTER TABLE "cv_skill" ADD COLUMN "level" jsonb;--> statement-breakpoint
ALTER TABLE "cv_skill" ADD COLUMN "keywords" jsonb;--> statement-breakpoint
ALTER TABLE "cv_education" ADD COLUMN "score" jsonb;--> statement-breakpoint
ALTER TABLE "cv_education" ADD COLUMN "courses" jsonb;--> statement-breakpoint
ALTER TABLE "cv_experience" ADD COLUMN "company_description" jsonb;--> statement-breakpoint
ALTER TABLE "cv_profile" ADD COLUMN "street" jsonb;--> statement-breakpoint
ALTER TABLE "cv_profile" ADD COLUMN "postal_code" text;--> statement-breakpoint
ALTER TABLE "cv_profile" ADD COLUMN "country" text;--> statement-breakpoint
CREATE INDEX "cv_award_position" ON "cv_award" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_award_search_trgm" ON "cv_award" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cv_interest_position" ON "cv_interest" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_interest_search_trgm" ON "cv_interest" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cv_language_position" ON "cv_language" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_language_search_trgm" ON "cv_language" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cv_project_position" ON "cv_project" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_project_search_trgm" ON "cv_project" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cv_publication_position" ON "cv_publication" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_publication_search_trgm" ON "cv_publication" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cv_reference_position" ON "cv_reference" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_reference_search_trgm" ON "cv_reference" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cv_volunteer_position" ON "cv_volunteer" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_volunteer_search_trgm" ON "cv_volunteer" USING gin ("search" gin_trgm_ops);