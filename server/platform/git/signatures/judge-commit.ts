/** What a commit's own bytes say about its signature; whose key it is, others know. */
import { parsePerson } from "../objects/commit.ts";
import { judgeSshSignature, sshSignatureStart } from "../objects/ssh-signature.ts";
import { splitCommit, type CommitSignature } from "./commit-signature.ts";

/**
 * `ssh`: a valid signature with the key of this fingerprint. `openpgp`: still to be judged, which takes the key. `unsupported`: of
 * another form, or of a kind of key that we do not take.
 */
export type JudgedCommit =
  | { state: "unsigned" | "invalid" | "unsupported" }
  | { state: "ssh"; fingerprint: string }
  | { state: "openpgp"; signature: CommitSignature };

const openPgpStart = "-----BEGIN PGP SIGNATURE-----";

/** Never throws. */
export function judgeCommit(bytes: Buffer): JudgedCommit {
  const split = splitCommit(bytes);
  if (split === "unsigned") return { state: "unsigned" };
  if (split === "malformed") return { state: "invalid" };
  const { armored, payload } = split;
  if (startsWith(armored, openPgpStart)) return { state: "openpgp", signature: split };
  if (!startsWith(armored, sshSignatureStart)) return { state: "unsupported" };
  const judged = judgeSshSignature(payload, armored, "git");
  if (judged.verdict === "bad") return { state: "invalid" };
  if (judged.verdict === "unknown_kind") return { state: "unsupported" };
  return { state: "ssh", fingerprint: judged.fingerprint };
}

/** As it stands in the object, whatever encoding the object claims to have. */
export function committerEmailOf(bytes: Buffer): string {
  const end = bytes.indexOf("\n\n");
  const head = bytes.subarray(0, end < 0 ? bytes.length : end);
  const at = head.indexOf("\ncommitter ") + 1;
  if (at === 0) return "";
  const next = head.indexOf("\n", at);
  const line = head.toString("utf8", at, next < 0 ? head.length : next);
  return parsePerson(line.slice("committer ".length)).email;
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString("latin1", 0, text.length) === text;
}
