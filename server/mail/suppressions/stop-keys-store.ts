import { FORGOTTEN_MARK } from "#contract/mail-suppressions.ts";

/** 128 bits, in hexadecimal. */
const HASH_CHARS = 32;

/**
 * SQL of what stands for an address (`key`, as `toAddressKey` writes it) once its account is deleted. `secret`: bytea. Without the
 * secret nobody can try addresses until one fits.
 */
const hashSql = (key: string, secret: string) =>
  `'${FORGOTTEN_MARK}' || left(encode(sha256(${secret} || convert_to(${key}, 'UTF8')), 'hex'), ${HASH_CHARS})`;

/** The one that is written. `secrets`: SQL of bytea[]. */
export const forgottenKeySql = (key: string, secrets: string) => hashSql(key, `(${secrets}::bytea[])[1]`);

/** SQL of all texts, as text[], under which an address may stand in the list of suppressions: as it is, or as a hash. */
export const stopKeysSql = (key: string, secrets: string) =>
  `(ARRAY[${key}] || ARRAY(SELECT ${hashSql(key, "secret")} FROM unnest(${secrets}::bytea[]) AS secret))`;
