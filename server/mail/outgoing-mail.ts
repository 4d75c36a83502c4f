import type { Language } from "#contract/languages.ts";

interface Addressed {
  recipient: string;
  language: Language;
}

/** A mail that somebody causes, by kind. `at` and `expiresAt` are ISO moments. */
export type OutgoingMail = Addressed &
  (
    | { kind: "verification_code"; userId: number; username: string; code: string; expiresAt: string }
    | { kind: "change_email_code"; userId: number; username: string; code: string; expiresAt: string }
    | { kind: "password_reset"; userId: number; username: string; code: string; expiresAt: string }
    /** Somebody registered, or wants to move, to an address that has an account already: its owner is told. */
    | { kind: "account_exists"; userId: number; username: string }
    /** The console made an account: its person is told how to choose a password. */
    | { kind: "account_made"; userId: number; username: string }
    | {
        kind: "new_sign_in";
        userId: number;
        username: string;
        device: string;
        ipAddress: string;
        at: string;
      }
    /** To the address before. */
    | { kind: "address_changed"; userId: number; username: string; newAddress: string; at: string }
    | { kind: "password_changed"; userId: number; username: string; at: string }
    /** Somebody else is in a room that the person made. */
    | {
        kind: "room_entered";
        userId: number;
        username: string;
        roomName: string;
        roomSlug: string;
        newcomerName: string;
        expiresAt: string;
      }
    | {
        kind: "contact_message";
        contactMessageId: number;
        name: string;
        email: string;
        subject: string;
        message: string;
      }
    | { kind: "contact_acknowledgement"; contactMessageId: number }
    | { kind: "test" }
  );

export type MailKind = OutgoingMail["kind"];

/** Kinds that the person can do without: a suppression of scope `optional` stops these and no others. */
export const OPTIONAL_KINDS: readonly MailKind[] = ["contact_acknowledgement", "room_entered"];

/** Kinds that hold somebody's own words, of which the outbox keeps no copy once the mail is done. */
export const FOREIGN_TEXT_KINDS: readonly MailKind[] = ["contact_message", "room_entered"];
