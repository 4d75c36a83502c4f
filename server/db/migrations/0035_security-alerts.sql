CREATE TABLE "audit_alert_rules" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_alert_rules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"note" text,
	"token_reuse" boolean DEFAULT true NOT NULL,
	"failed_log_ins" boolean DEFAULT true NOT NULL,
	"new_staff" boolean DEFAULT true NOT NULL,
	"first_export" boolean DEFAULT true NOT NULL,
	"factor_off" boolean DEFAULT true NOT NULL,
	"known_keys" text
);
--> statement-breakpoint
CREATE TABLE "audit_alert" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_alert_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"user_id" integer,
	"by_id" integer,
	"about" jsonb,
	"count" integer DEFAULT 1 NOT NULL,
	"ip_address" text,
	"mailed_at" timestamp with time zone,
	"seen_at" timestamp with time zone,
	"seen_by_id" integer
);
--> statement-breakpoint
ALTER TABLE "audit_alert" ADD CONSTRAINT "audit_alert_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_alert" ADD CONSTRAINT "audit_alert_by_id_account_user_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_alert" ADD CONSTRAINT "audit_alert_seen_by_id_account_user_id_fk" FOREIGN KEY ("seen_by_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "audit_alert_rules_singleton" ON "audit_alert_rules" USING btree ((true));--> statement-breakpoint
CREATE INDEX "audit_alert_user" ON "audit_alert" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audit_alert_by" ON "audit_alert" USING btree ("by_id");--> statement-breakpoint
CREATE INDEX "audit_alert_seen_by" ON "audit_alert" USING btree ("seen_by_id");--> statement-breakpoint
INSERT INTO "audit_alert_rules" DEFAULT VALUES;
