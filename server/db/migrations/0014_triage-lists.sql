DROP INDEX "mail_bounce_open";--> statement-breakpoint
DROP INDEX "mail_complaint_open";--> statement-breakpoint
CREATE INDEX "mail_bounce_open" ON "mail_bounce" USING btree ("is_processed","bounced_at" DESC NULLS FIRST,"id" DESC NULLS FIRST,"bounce_type","unsubscribed_by");--> statement-breakpoint
CREATE INDEX "mail_complaint_open" ON "mail_complaint" USING btree ("is_processed","complained_at" DESC NULLS FIRST,"id" DESC NULLS FIRST,"feedback_type","unsubscribed_by");