ALTER TABLE "stored_file" ADD COLUMN "uploaded_by_id" integer;--> statement-breakpoint
ALTER TABLE "stored_file" ADD COLUMN "is_stripped" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "stored_file" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "stored_file" ADD COLUMN "fault" text;--> statement-breakpoint
ALTER TABLE "stored_file" ADD COLUMN "search" text GENERATED ALWAYS AS (foyer_fold(coalesce("name", ''))) STORED;--> statement-breakpoint
ALTER TABLE "stored_file" ADD CONSTRAINT "stored_file_uploaded_by_id_account_user_id_fk" FOREIGN KEY ("uploaded_by_id") REFERENCES "public"."account_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stored_file_uploaded_by" ON "stored_file" USING btree ("uploaded_by_id");--> statement-breakpoint
CREATE INDEX "stored_file_search_trgm" ON "stored_file" USING gin ("search" gin_trgm_ops);
--> statement-breakpoint
-- The log knows who uploaded what is there already.
UPDATE "stored_file" file SET "uploaded_by_id" = entry.user_id
  FROM "audit_entry" entry
  JOIN "content_type" type ON type.id = entry.content_type_id AND type.app_label = 'files' AND type.model_name = 'stored_file'
  JOIN "account_user" person ON person.id = entry.user_id
  WHERE entry.detail = 'upload' AND entry.object_id = file.id::text;
