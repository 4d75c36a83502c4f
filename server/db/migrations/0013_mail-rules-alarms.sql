CREATE TABLE "mail_alarm" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_alarm_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	"total" integer NOT NULL,
	"days" integer NOT NULL,
	"rate" numeric(5, 2),
	"limit" numeric(5, 2),
	"holds" boolean NOT NULL,
	"mailed_at" timestamp with time zone,
	"released_at" timestamp with time zone,
	"released_by_id" integer
);
--> statement-breakpoint
CREATE TABLE "mail_rules" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_rules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"note" text,
	"days" integer DEFAULT 7 NOT NULL,
	"volume_min" integer DEFAULT 100 NOT NULL,
	"bounce_limit" numeric(5, 2) DEFAULT '5' NOT NULL,
	"bounce_count_min" integer DEFAULT 5 NOT NULL,
	"complaint_limit" numeric(5, 2) DEFAULT '0.1' NOT NULL,
	"complaint_count_min" integer DEFAULT 3 NOT NULL,
	"alarm_holds" boolean DEFAULT true NOT NULL,
	"bounce_stops" boolean DEFAULT true NOT NULL,
	"complaint_stops" boolean DEFAULT true NOT NULL,
	"transient_count_min" integer DEFAULT 3 NOT NULL,
	"transient_days" integer DEFAULT 30 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mail_alarm" ADD CONSTRAINT "mail_alarm_released_by_id_account_user_id_fk" FOREIGN KEY ("released_by_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mail_alarm_open" ON "mail_alarm" USING btree ("kind") WHERE "mail_alarm"."released_at" IS NULL;--> statement-breakpoint
CREATE INDEX "mail_alarm_released_by" ON "mail_alarm" USING btree ("released_by_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_rules_singleton" ON "mail_rules" USING btree ((true));--> statement-breakpoint
CREATE INDEX "mail_message_held" ON "mail_message" USING btree ("expires_at") WHERE "mail_message"."status" = 'held';--> statement-breakpoint
-- The rules always stand: staff change the one row, and nobody makes or deletes one.
INSERT INTO "mail_rules" DEFAULT VALUES;
