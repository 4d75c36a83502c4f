CREATE TABLE "cv_section" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_section_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"model" text NOT NULL,
	"label" jsonb NOT NULL,
	"heading" jsonb,
	"position" integer DEFAULT 0 NOT NULL,
	"is_hidden" boolean DEFAULT false NOT NULL,
	CONSTRAINT "cv_section_model" UNIQUE("model")
);
--> statement-breakpoint
CREATE INDEX "cv_section_position" ON "cv_section" USING btree ("position","id");