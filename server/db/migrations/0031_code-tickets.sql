CREATE TABLE "account_code_guess" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_code_guess_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subject_key" text NOT NULL,
	"block_key" text NOT NULL,
	"guessed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_code_ticket" (
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"ticket_hash" text NOT NULL,
	"code_id" integer NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "account_code_ticket_ticket_hash_purpose_email_pk" PRIMARY KEY("ticket_hash","purpose","email")
);
--> statement-breakpoint
ALTER TABLE "account_code" DROP CONSTRAINT "account_code_purpose";--> statement-breakpoint
ALTER TABLE "account_code" ADD COLUMN "proof_hash" text;--> statement-breakpoint
ALTER TABLE "account_code_ticket" ADD CONSTRAINT "account_code_ticket_code_id_account_code_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."account_code"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_code_guess_subject" ON "account_code_guess" USING btree ("subject_key","guessed_at");--> statement-breakpoint
CREATE INDEX "account_code_ticket_code" ON "account_code_ticket" USING btree ("code_id");--> statement-breakpoint
CREATE INDEX "account_code_address" ON "account_code" USING btree ("email","purpose","sent_at");