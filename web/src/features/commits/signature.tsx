/** What became of the signature of a commit; nothing for a commit that has none. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/commits.ts";
import { Badge } from "../../ui/badge.tsx";
import styles from "./signature.module.css";

export function Signature({ commit }: { commit: Schemas["Commit"] }) {
  const { verified, reason, signer, key_fingerprint: key, made_here: isOurs } = commit.verification;
  if (reason === "unsigned") return null;
  return (
    <details className={styles.signature}>
      <summary>
        <Badge tone={verified ? "good" : "plain"}>{verified ? text.verified : text.unverified}</Badge>
      </summary>
      <p className={styles.about}>
        {isOurs ? text.madeHere : text.signatureReasons[reason]}
        {signer ? (
          <>
            {" "}
            <Link data-inline to={`/${signer.username}`}>
              {signer.username}
            </Link>
          </>
        ) : null}
        {key === null ? null : (
          <>
            <br />
            {text.signingKey} <code>{key}</code>
          </>
        )}
      </p>
    </details>
  );
}
