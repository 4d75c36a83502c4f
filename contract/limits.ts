/** Limits that browser and server agreed on. Units are in the names; sources are the specification's tables. */
export const LIMITS = {
  usernameMinChars: 3,
  usernameMaxChars: 30,
  passwordMinChars: 8,
  /** Longer passwords are refused before hashing, so that hashing cost stays bounded. */
  passwordMaxChars: 128,
  /** Accounts from before may have a longer one, up to here. */
  typedPasswordMaxChars: 256,
  emailMaxChars: 254,
  /** Contact form (specification A sections 5 and 9); the two upper limits of one-line fields are Foyer's. */
  contactNameMinChars: 2,
  contactNameMaxChars: 100,
  contactSubjectMinChars: 5,
  contactSubjectMaxChars: 200,
  contactMessageMinChars: 10,
  contactMessageMaxChars: 500,
  /** Above this the counter says that the end is near. */
  contactMessageNearChars: 400,
  /** Access tokens are renewed below this (specification A section 9). */
  tokenRefreshThresholdS: 300,
  /** Codes by e-mail (specification A sections 2.9 and 9). */
  codeDigits: 6,
  codeLifetimeS: 10 * 60,
  codeTriesMax: 5,
  codeResendCooldownS: 60,
  /** Profile. The three upper limits and the size of pictures are Foyer's. */
  bioMaxChars: 1000,
  personNameMaxChars: 100,
  shownNameMaxChars: 40,
  profilePictureMaxBytes: 8 * 1024 * 1024,
  uploadMaxBytes: 20 * 1024 * 1024,
  jsonBodyMaxBytes: 1024 * 1024,
} as const;
