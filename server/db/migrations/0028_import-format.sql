ALTER TABLE "cv_import" ADD COLUMN "format" text DEFAULT 'json_resume' NOT NULL;
--> statement-breakpoint
UPDATE "cv_import" SET "format" = 'linkedin' WHERE "state" = 'draft' AND "file_name" ILIKE '%.zip';
