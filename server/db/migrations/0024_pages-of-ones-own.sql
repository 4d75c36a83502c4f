CREATE TABLE "site_redirect" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_redirect_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"slug" text NOT NULL,
	"page_id" integer NOT NULL,
	CONSTRAINT "site_redirect_slug" UNIQUE("slug")
);
--> statement-breakpoint
ALTER TABLE "cv_project" ADD COLUMN "picture" text;--> statement-breakpoint
ALTER TABLE "site_page" ADD COLUMN "shown_in" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_page" ADD COLUMN "position" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "site_page" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "site_settings" ADD COLUMN "front_en" text DEFAULT 'automatic' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_settings" ADD COLUMN "front_page_en_id" integer;--> statement-breakpoint
ALTER TABLE "site_settings" ADD COLUMN "front_tr" text DEFAULT 'automatic' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_settings" ADD COLUMN "front_page_tr_id" integer;--> statement-breakpoint
ALTER TABLE "site_redirect" ADD CONSTRAINT "site_redirect_page_id_site_page_id_fk" FOREIGN KEY ("page_id") REFERENCES "public"."site_page"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_redirect_page" ON "site_redirect" USING btree ("page_id");--> statement-breakpoint
ALTER TABLE "cv_project" ADD CONSTRAINT "cv_project_picture_stored_file_key_fk" FOREIGN KEY ("picture") REFERENCES "public"."stored_file"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_settings" ADD CONSTRAINT "site_settings_front_page_en_id_site_page_id_fk" FOREIGN KEY ("front_page_en_id") REFERENCES "public"."site_page"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_settings" ADD CONSTRAINT "site_settings_front_page_tr_id_site_page_id_fk" FOREIGN KEY ("front_page_tr_id") REFERENCES "public"."site_page"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_page_position" ON "site_page" USING btree ("position","id");--> statement-breakpoint
CREATE INDEX "site_settings_front_page_en" ON "site_settings" USING btree ("front_page_en_id");--> statement-breakpoint
CREATE INDEX "site_settings_front_page_tr" ON "site_settings" USING btree ("front_page_tr_id");
--> statement-breakpoint
-- What sites have had so far are the terms and the privacy notice, which every footer has linked to in this order.
UPDATE "site_page" SET "shown_in" = 'footer', "position" = CASE "slug" WHEN 'terms' THEN 1 ELSE 2 END;
