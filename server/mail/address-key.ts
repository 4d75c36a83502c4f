import { domainToASCII } from "node:url";

/**
 * One text for all spellings of an address, by which mails, suppressions and reports are compared: lower case whatever the
 * database's language is, one Unicode form, the domain in ASCII. `INFO@Örnek.example` → `info@xn--rnek-4qa.example`.
 */
export function toAddressKey(address: string): string {
  const plain = address.trim().normalize("NFC").toLowerCase();
  const at = plain.lastIndexOf("@");
  const domain = domainToASCII(plain.slice(at + 1));
  return at > 0 && domain ? `${plain.slice(0, at)}@${domain}` : plain;
}
