CREATE TABLE "voice_block" (
	"blocker_id" integer NOT NULL,
	"blocked_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voice_block_blocker_id_blocked_id_pk" PRIMARY KEY("blocker_id","blocked_id")
);
--> statement-breakpoint
CREATE TABLE "voice_daily_count" (
	"user_id" integer NOT NULL,
	"what" text NOT NULL,
	"day" date NOT NULL,
	"made" integer NOT NULL,
	CONSTRAINT "voice_daily_count_user_id_what_day_pk" PRIMARY KEY("user_id","what","day")
);
--> statement-breakpoint
CREATE TABLE "voice_report" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "voice_report_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"room_id" integer,
	"room_name" text NOT NULL,
	"reporter_id" integer,
	"reported_id" integer,
	"reason" text NOT NULL,
	"message" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"note" text,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("reason", '') || ' ' || coalesce("message", '') || ' ' || coalesce("room_name", ''))) STORED
);
--> statement-breakpoint
CREATE TABLE "voice_restriction" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "voice_restriction_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"room_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"created_by_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voice_restriction_once" UNIQUE("room_id","user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "voice_room" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "voice_room_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"public_id" text NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"max_participants" integer DEFAULT 10 NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"auto_mute_on_join" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"engine" text NOT NULL,
	"created_by_id" integer,
	"creator_told_at" timestamp with time zone,
	"search" text GENERATED ALWAYS AS (foyer_fold(coalesce("name", '') || ' ' || coalesce("description", ''))) STORED,
	CONSTRAINT "voice_room_public_id" UNIQUE("public_id"),
	CONSTRAINT "voice_room_slug" UNIQUE("slug")
);
--> statement-breakpoint
ALTER TABLE "voice_block" ADD CONSTRAINT "voice_block_blocker_id_account_user_id_fk" FOREIGN KEY ("blocker_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_block" ADD CONSTRAINT "voice_block_blocked_id_account_user_id_fk" FOREIGN KEY ("blocked_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_daily_count" ADD CONSTRAINT "voice_daily_count_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_report" ADD CONSTRAINT "voice_report_room_id_voice_room_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."voice_room"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_report" ADD CONSTRAINT "voice_report_reporter_id_account_user_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_report" ADD CONSTRAINT "voice_report_reported_id_account_user_id_fk" FOREIGN KEY ("reported_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_restriction" ADD CONSTRAINT "voice_restriction_room_id_voice_room_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."voice_room"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_restriction" ADD CONSTRAINT "voice_restriction_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_restriction" ADD CONSTRAINT "voice_restriction_created_by_id_account_user_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_room" ADD CONSTRAINT "voice_room_created_by_id_account_user_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "voice_block_blocked" ON "voice_block" USING btree ("blocked_id");--> statement-breakpoint
CREATE INDEX "voice_report_created" ON "voice_report" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "voice_report_room" ON "voice_report" USING btree ("room_id");--> statement-breakpoint
CREATE INDEX "voice_report_reporter" ON "voice_report" USING btree ("reporter_id");--> statement-breakpoint
CREATE INDEX "voice_report_reported" ON "voice_report" USING btree ("reported_id");--> statement-breakpoint
CREATE INDEX "voice_report_search_trgm" ON "voice_report" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "voice_restriction_user" ON "voice_restriction" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "voice_restriction_created_by" ON "voice_restriction" USING btree ("created_by_id");--> statement-breakpoint
CREATE INDEX "voice_restriction_created" ON "voice_restriction" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "voice_room_created" ON "voice_room" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "voice_room_created_by" ON "voice_room" USING btree ("created_by_id");--> statement-breakpoint
CREATE INDEX "voice_room_search_trgm" ON "voice_room" USING gin ("search" gin_trgm_ops);