CREATE TABLE "mail_return_path" (
	"server" text PRIMARY KEY NOT NULL,
	"refused_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"answer" text NOT NULL
);
