import * as z from "zod/mini";

/**
 * The one table of errors: code → HTTP status. The text of a code is `errors:<code>` in `locales/`.
 * `public: false` means that the text never leaves the server; the client reads the text of `internal`.
 */
export const ERRORS = {
  validation_failed: { status: 400, public: true },
  unknown_field: { status: 400, public: true },
  unknown_operator: { status: 400, public: true },
  invalid_query: { status: 400, public: true },
  malformed_body: { status: 400, public: true },
  contact_trap_filled: { status: 400, public: true },
  contact_challenge_required: { status: 400, public: true },
  contact_challenge_invalid: { status: 400, public: true },
  contact_challenge_unsolved: { status: 400, public: true },
  contact_challenge_expired: { status: 400, public: true },
  contact_challenge_used: { status: 400, public: true },
  contact_too_fast: { status: 400, public: true },
  invalid_verification_code: { status: 400, public: true },
  second_factor_over: { status: 400, public: true },
  invalid_second_factor: { status: 400, public: true },
  passkey_unknown: { status: 400, public: true },
  not_authenticated: { status: 401, public: true },
  session_expired: { status: 401, public: true },
  invalid_credentials: { status: 401, public: true },
  invalid_refresh_token: { status: 401, public: true },
  /** The password was right; `second_factor` says what is asked for (contract/accounts/second-factor.ts). */
  second_factor_required: { status: 401, public: true },
  /** Of a refresh: the session is over by itself, for its time since the log-in, or for want of use. */
  session_aged: { status: 401, public: true },
  session_unused: { status: 401, public: true },
  permission_denied: { status: 403, public: true },
  /** The person is to show again that it is them: `POST /api/users/confirm/`. */
  step_up_required: { status: 403, public: true },
  second_factor_due: { status: 403, public: true },
  insufficient_permissions: { status: 403, public: true },
  room_creation_denied: { status: 403, public: true },
  banned_from_room: { status: 403, public: true },
  setup_link_invalid: { status: 403, public: true },
  /** Of a log-in or a new password, after the right password or code: nobody else learns it. */
  account_waiting: { status: 403, public: true },
  account_refused: { status: 403, public: true },
  registration_closed: { status: 403, public: true },
  invitation_required: { status: 403, public: true },
  invitation_invalid: { status: 403, public: true },
  not_found: { status: 404, public: true },
  model_not_found: { status: 404, public: true },
  object_not_found: { status: 404, public: true },
  room_not_found: { status: 404, public: true },
  request_timeout: { status: 408, public: true },
  last_superuser: { status: 409, public: true },
  setup_closed: { status: 409, public: true },
  conflict: { status: 409, public: true },
  stale_write: { status: 409, public: true },
  count_changed: { status: 409, public: true },
  superuser_protected: { status: 409, public: true },
  core_level_protected: { status: 409, public: true },
  own_account_protected: { status: 409, public: true },
  page_protected: { status: 409, public: true },
  job_not_resumable: { status: 409, public: true },
  nothing_to_undo: { status: 409, public: true },
  import_invalid: { status: 400, public: true },
  import_stale: { status: 409, public: true },
  import_over: { status: 409, public: true },
  undo_conflicts: { status: 409, public: true },
  return_test_under_way: { status: 409, public: true },
  nothing_selected: { status: 400, public: true },
  job_not_found: { status: 404, public: true },
  export_not_found: { status: 404, public: true },
  too_many_jobs: { status: 429, public: true },
  singleton_exists: { status: 409, public: true },
  second_factor_needed: { status: 409, public: true },
  second_factor_missing: { status: 409, public: true },
  address_unproven: { status: 403, public: true },
  app_known: { status: 409, public: true },
  app_unreadable: { status: 409, public: true },
  passkey_known: { status: 409, public: true },
  too_many_passkeys: { status: 409, public: true },
  passkeys_unavailable: { status: 409, public: true },
  still_referenced: { status: 409, public: true },
  file_in_use: { status: 409, public: true },
  file_in_use_unseen: { status: 409, public: true },
  room_full: { status: 409, public: true },
  room_closed: { status: 409, public: true },
  body_too_large: { status: 413, public: true },
  unsupported_media_type: { status: 415, public: true },
  unsupported_file: { status: 415, public: true },
  heic_file: { status: 415, public: true },
  foreign_file: { status: 415, public: true },
  picture_unreadable: { status: 400, public: true },
  too_many_requests: { status: 429, public: true },
  too_many_codes: { status: 429, public: true },
  too_many_logins: { status: 429, public: true },
  too_many_rooms: { status: 429, public: true },
  too_many_reports: { status: 429, public: true },
  too_many_messages: { status: 429, public: true },
  too_many_unproven_messages: { status: 429, public: true },
  too_many_return_tests: { status: 429, public: true },
  internal: { status: 500, public: false },
  unavailable: { status: 503, public: true },
  version_unknown: { status: 503, public: true },
  files_unavailable: { status: 503, public: true },
  disk_full: { status: 507, public: true },
} as const satisfies Record<string, { status: number; public: boolean }>;

export type ErrorCode = keyof typeof ERRORS;

/** One fault in a request: the field by its wire name (`label.en` inside an object), a code, a text in the request's language. */
export const fieldError = z.object({ field: z.string(), code: z.string(), message: z.string() });
export type FieldError = z.infer<typeof fieldError>;

/**
 * What every failed call answers (specification A sections 3 and 8).
 * `message`, `code`, `status`, `errors` are the documented shape. `detail` and `error` repeat the message,
 * because the documented clients read the text from them.
 */
export const errorEnvelope = z.object({
  message: z.string(),
  code: z.string(),
  status: z.number(),
  errors: z.array(fieldError),
  detail: z.string(),
  error: z.string(),
  request_id: z.string(),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
