CREATE INDEX "stored_file_checked" ON "stored_file" USING btree ("checked_at" NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "account_user_avatar" ON "account_user" USING btree ("avatar") WHERE "account_user"."avatar" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "account_user_cover" ON "account_user" USING btree ("cover") WHERE "account_user"."cover" IS NOT NULL;