/** Certificates of authorities that users give. */
import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { invalidField } from "../../../platform/app-error.ts";

/** As it was given. Throws `validation_failed` for what is no PEM, or holds no authority. */
export function readAuthority(pem: string | null): string | null {
  if (pem === null) return null;
  try {
    new X509Certificate(pem);
    createSecureContext({ ca: pem });
  } catch {
    throw invalidField("ca_certificate", "invalid", "This is not a certificate in PEM form.");
  }
  return pem;
}
