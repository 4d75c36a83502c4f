-- Written by hand: drizzle-kit can't rename a table and keep its keys and indexes. Rows, their numbers and what refers to them stay.
ALTER TABLE "cv_confidence" RENAME TO "cv_skill";--> statement-breakpoint
ALTER SEQUENCE "cv_confidence_id_seq" RENAME TO "cv_skill_id_seq";--> statement-breakpoint
ALTER TABLE "cv_skill" RENAME CONSTRAINT "cv_confidence_pkey" TO "cv_skill_pkey";--> statement-breakpoint
ALTER TABLE "cv_skill" RENAME CONSTRAINT "cv_confidence_icon_stored_file_key_fk" TO "cv_skill_icon_stored_file_key_fk";--> statement-breakpoint
ALTER INDEX "cv_confidence_position" RENAME TO "cv_skill_position";--> statement-breakpoint
ALTER INDEX "cv_confidence_search_trgm" RENAME TO "cv_skill_search_trgm";--> statement-breakpoint
-- The model keeps its number: the log, jobs and addresses of the console name it by that.
UPDATE "content_type" SET "model_name" = 'skill' WHERE "app_label" = 'cv' AND "model_name" = 'confidence';--> statement-breakpoint
UPDATE "sample_row" SET "model" = 'cv.skill' WHERE "model" = 'cv.confidence';
