ALTER TABLE "audit_entry" ADD COLUMN "batch_id" text;--> statement-breakpoint
ALTER TABLE "audit_entry" ADD COLUMN "is_folded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_entry_unfolded" ON "audit_entry" USING btree ("timestamp" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE NOT "audit_entry"."is_folded";--> statement-breakpoint
CREATE INDEX "audit_entry_bulk" ON "audit_entry" USING btree ("timestamp" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE NOT "audit_entry"."is_folded" AND "audit_entry"."batch_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_entry_detail" ON "audit_entry" USING btree ("detail","timestamp" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE NOT "audit_entry"."is_folded" AND "audit_entry"."detail" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_entry_batch" ON "audit_entry" USING btree ("batch_id","timestamp" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "audit_entry"."batch_id" IS NOT NULL;