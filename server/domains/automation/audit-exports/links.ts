/** Addresses that open the file of an export for a while, without a credential: signed with the instance's key. */
import { AppError } from "../../../platform/app-error.ts";
import { signatureBytes, type Signer } from "../../../platform/keys/signer.ts";

const linkSeconds = 15 * 60;

export interface ExportLinks {
  /** The query of the address, without `?`, and when it ends. */
  sign(exportId: string): { query: string; expiresAt: Date };
  /** Throws `not_found` for anything but an unchanged result of `sign`, and `forbidden` for one that has expired. */
  check(exportId: string, query: { expires: string; signature: string }): void;
}

export function createExportLinks(signer: Signer): ExportLinks {
  const signed = (exportId: string, expires: number) => JSON.stringify(["export", exportId, expires]);
  return {
    sign(exportId) {
      const expires = Math.floor(Date.now() / 1000) + linkSeconds;
      const signature = signer.sign(signed(exportId, expires)).toString("base64url");
      const query = new URLSearchParams({ expires: String(expires), signature }).toString();
      return { query, expiresAt: new Date(expires * 1000) };
    },
    check(exportId, query) {
      const expires = Number(query.expires);
      const signature = Buffer.from(query.signature, "base64url");
      if (!signer.proves(signature, signatureBytes, signed(exportId, expires)))
        throw new AppError("not_found");
      if (expires * 1000 <= Date.now())
        throw new AppError("forbidden", { message: "This address has expired; request a new one." });
    },
  };
}
