ALTER TABLE "account_registration" ADD COLUMN "notified_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "admission" text DEFAULT 'admitted' NOT NULL;--> statement-breakpoint
ALTER TABLE "account_user" ADD COLUMN "is_announced" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "account_user_admission" ON "account_user" USING btree ("admission","id") WHERE "account_user"."admission" <> 'admitted';