CREATE TABLE "cv_import" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cv_import_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"state" text NOT NULL,
	"file_name" text NOT NULL,
	"lang" text NOT NULL,
	"document" jsonb,
	"answers" jsonb,
	"user_id" integer,
	"counts" jsonb,
	"snapshot" jsonb,
	"batch_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"applied_at" timestamp with time zone,
	"backup_file" text,
	"undone_at" timestamp with time zone
);
