CREATE TABLE "site_look" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_look_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"accent" text DEFAULT '#0b4a63' NOT NULL,
	"fonts" text DEFAULT 'newsreader' NOT NULL,
	"picture_shape" text DEFAULT 'rounded' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "site_look_singleton" ON "site_look" USING btree ((true));