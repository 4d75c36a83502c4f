CREATE TABLE "account_invitation_use" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"invitation_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_invitation" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_invitation_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"note" text,
	"link" text NOT NULL,
	"token" text NOT NULL,
	"access_level_id" integer NOT NULL,
	"uses_max" integer DEFAULT 1 NOT NULL,
	"used_count" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"is_revoked" boolean DEFAULT false NOT NULL,
	"created_by_id" integer,
	CONSTRAINT "account_invitation_token" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "account_registration" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_registration_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"mode" text DEFAULT 'open' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_invitation_use" ADD CONSTRAINT "account_invitation_use_user_id_account_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."account_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_invitation_use" ADD CONSTRAINT "account_invitation_use_invitation_id_account_invitation_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."account_invitation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_invitation" ADD CONSTRAINT "account_invitation_access_level_id_access_level_id_fk" FOREIGN KEY ("access_level_id") REFERENCES "public"."access_level"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_invitation" ADD CONSTRAINT "account_invitation_created_by_id_account_user_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_invitation_use_invitation" ON "account_invitation_use" USING btree ("invitation_id");--> statement-breakpoint
CREATE INDEX "account_invitation_access_level" ON "account_invitation" USING btree ("access_level_id");--> statement-breakpoint
CREATE INDEX "account_invitation_created_by" ON "account_invitation" USING btree ("created_by_id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_registration_singleton" ON "account_registration" USING btree ((true));