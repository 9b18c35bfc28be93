/**
 * Addresses of ours that move one object: signed with the instance's key, bound to method, repository, object, size, the
 * credential behind them, and a time. They are not enough by themselves: the holder of the credential is looked up again.
 */
import { AppError } from "../../../platform/app-error.ts";
import { signatureBytes, type Signer } from "../../../platform/keys/signer.ts";
import { linkSeconds } from "./expiry.ts";

export type LinkMethod = "GET" | "PUT" | "VERIFY";

export interface LfsLink {
  method: LinkMethod;
  repositoryId: string;
  oid: string;
  sizeBytes: number;
  /** As `credentialOf` names it. */
  credential: string;
}

export interface LfsLinks {
  /** The query of the address, without `?`. */
  sign(link: LfsLink): string;
  /** Throws `forbidden` for anything but an unchanged result of `sign` that has not expired. */
  open(query: URLSearchParams, asked: Pick<LfsLink, "method" | "oid">): LfsLink;
}

export function createLfsLinks(signer: Signer): LfsLinks {
  const signed = ({ method, repositoryId, oid, sizeBytes, credential }: LfsLink, expires: number) =>
    JSON.stringify(["link", method, repositoryId, oid, sizeBytes, credential, expires]);

  return {
    sign(link) {
      const expires = Math.floor(Date.now() / 1000) + linkSeconds;
      return new URLSearchParams({
        repository: link.repositoryId,
        size: String(link.sizeBytes),
        by: link.credential,
        expires: String(expires),
        signature: signer.sign(signed(link, expires)).toString("base64url"),
      }).toString();
    },
    open(query, { method, oid }) {
      const text = (name: string) => query.get(name) ?? "";
      const [sizeBytes, expires] = [Number(text("size")), Number(text("expires"))];
      const link = { method, repositoryId: text("repository"), oid, sizeBytes, credential: text("by") };
      const given = Buffer.from(text("signature"), "base64url");
      if (!signer.proves(given, signatureBytes, signed(link, expires)))
        throw new AppError("forbidden", {
          message: "This server did not issue this address for this purpose.",
        });
      if (expires * 1000 <= Date.now())
        throw new AppError("forbidden", { message: "This address has expired; request a new one." });
      return link;
    },
  };
}
