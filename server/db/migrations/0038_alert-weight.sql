ALTER TABLE "audit_alert" ADD COLUMN "weight" integer DEFAULT 9 NOT NULL;--> statement-breakpoint
-- As server/audit/store.ts gives it, by the levels that people have now.
UPDATE "audit_alert" a SET "weight" = CASE WHEN a."kind" IN ('keys_changed', 'audit_broken') THEN 1000 ELSE COALESCE(
  (SELECT CASE WHEN l."level" < 10 THEN 8 ELSE l."level" END FROM "account_user" u JOIN "access_level" l ON l."id" = u."access_level_id"
   WHERE u."id" = a."user_id"), 9) END;
