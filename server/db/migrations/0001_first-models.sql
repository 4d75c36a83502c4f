CREATE TABLE "access_level" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "access_level_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"level" integer NOT NULL,
	"name" jsonb NOT NULL,
	"description" jsonb,
	"is_core" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "access_level_level" UNIQUE("level")
);
--> statement-breakpoint
CREATE TABLE "audit_entry" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"timestamp" timestamp with time zone DEFAULT now() NOT NULL,
	"user_id" integer,
	"username" text,
	"action_type" text NOT NULL,
	"detail" text,
	"content_type_id" integer,
	"object_id" text,
	"object_repr" text,
	"change_message" text DEFAULT '' NOT NULL,
	"changes" jsonb,
	"ip_address" text,
	"request_id" text,
	CONSTRAINT "audit_entry_key" PRIMARY KEY("timestamp","id")
) PARTITION BY RANGE ("timestamp");
--> statement-breakpoint
-- By hand: months are partitions of their own, made ahead by the server; the default one catches what none was made for.
CREATE TABLE "audit_entry_default" PARTITION OF "audit_entry" DEFAULT;
--> statement-breakpoint
CREATE TABLE "cv_certificate" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_certificate_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"label" jsonb NOT NULL,
	"issuer" jsonb,
	"issued_on" text,
	"file" text,
	"url" text,
	"position" integer DEFAULT 0 NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("label" ->> 'en', '') || ' ' || coalesce("label" ->> 'tr', '') || ' ' || coalesce("issuer" ->> 'en', '') || ' ' || coalesce("issuer" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "cv_confidence" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_confidence_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"label" jsonb NOT NULL,
	"icon" text,
	"position" integer DEFAULT 0 NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("label" ->> 'en', '') || ' ' || coalesce("label" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "content_type" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "content_type_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"app_label" text NOT NULL,
	"model_name" text NOT NULL,
	CONSTRAINT "content_type_key" UNIQUE("app_label","model_name")
);
--> statement-breakpoint
CREATE TABLE "cv_education" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_education_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"institution" jsonb,
	"degree" jsonb,
	"area" jsonb,
	"url" text,
	"start_date" text,
	"end_date" text,
	"position" integer DEFAULT 0 NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("institution" ->> 'en', '') || ' ' || coalesce("institution" ->> 'tr', '') || ' ' || coalesce("degree" ->> 'en', '') || ' ' || coalesce("degree" ->> 'tr', '') || ' ' || coalesce("area" ->> 'en', '') || ' ' || coalesce("area" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "cv_experience" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_experience_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"role" jsonb,
	"company" jsonb,
	"url" text,
	"location" jsonb,
	"start_date" text,
	"end_date" text,
	"description" jsonb,
	"highlights" jsonb,
	"position" integer DEFAULT 0 NOT NULL,
	"extra" jsonb,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("role" ->> 'en', '') || ' ' || coalesce("role" ->> 'tr', '') || ' ' || coalesce("company" ->> 'en', '') || ' ' || coalesce("company" ->> 'tr', '') || ' ' || coalesce("description" ->> 'en', '') || ' ' || coalesce("description" ->> 'tr', ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "cv_link" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_link_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"network" text,
	"url" text,
	"username" text,
	"position" integer DEFAULT 0 NOT NULL,
	"extra" jsonb
);
--> statement-breakpoint
CREATE TABLE "cv_profile" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_profile_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"title" jsonb,
	"tagline" jsonb,
	"description" jsonb,
	"photo" text,
	"email" text,
	"phone" text,
	"website" text,
	"district" jsonb,
	"province" jsonb,
	"extra" jsonb
);
--> statement-breakpoint
CREATE TABLE "account_session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"token_hash" text NOT NULL,
	"previous_token_hash" text,
	"rotated_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"ip_address" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "stored_file" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stored_file_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"byte_size" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stored_file_key" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "account_user" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"username" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"access_level_id" integer NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"is_email_verified" boolean DEFAULT false NOT NULL,
	"admin_theme" text DEFAULT 'auto' NOT NULL,
	"admin_language" text DEFAULT 'en' NOT NULL,
	"last_login_at" timestamp with time zone,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("username", '') || ' ' || coalesce("email", '') || ' ' || coalesce("first_name", '') || ' ' || coalesce("last_name", ''))) STORED
);
--> statement-breakpoint
ALTER TABLE "cv_certificate" ADD CONSTRAINT "cv_certificate_file_stored_file_key_fk" FOREIGN KEY ("file") REFERENCES "public"."stored_file"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cv_confidence" ADD CONSTRAINT "cv_confidence_icon_stored_file_key_fk" FOREIGN KEY ("icon") REFERENCES "public"."stored_file"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cv_profile" ADD CONSTRAINT "cv_profile_photo_stored_file_key_fk" FOREIGN KEY ("photo") REFERENCES "public"."stored_file"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_session" ADD CONSTRAINT "account_session_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_user" ADD CONSTRAINT "account_user_access_level_id_access_level_id_fk" FOREIGN KEY ("access_level_id") REFERENCES "public"."access_level"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entry_object" ON "audit_entry" USING btree ("content_type_id","object_id");--> statement-breakpoint
CREATE INDEX "audit_entry_user" ON "audit_entry" USING btree ("user_id","timestamp" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "cv_certificate_position" ON "cv_certificate" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_certificate_search_trgm" ON "cv_certificate" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cv_confidence_position" ON "cv_confidence" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_confidence_search_trgm" ON "cv_confidence" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cv_education_position" ON "cv_education" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_education_search_trgm" ON "cv_education" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cv_experience_position" ON "cv_experience" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "cv_experience_search_trgm" ON "cv_experience" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cv_link_position" ON "cv_link" USING btree ("position","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cv_profile_singleton" ON "cv_profile" USING btree ((true));--> statement-breakpoint
CREATE INDEX "account_session_user" ON "account_session" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_user_username" ON "account_user" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "account_user_email" ON "account_user" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "account_user_access_level" ON "account_user" USING btree ("access_level_id");--> statement-breakpoint
CREATE INDEX "account_user_search_trgm" ON "account_user" USING gin ("search" gin_trgm_ops);