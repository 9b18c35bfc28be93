/** Git and the certificate authority of an instance. */
import { resolve } from "node:path";

/** What stands in the way of Git's trust in the file, in words that follow "git"; null: nothing that can be seen here. */
export function gitLooksElsewhere(caFile: string): string | null {
  // It comes before all configuration (git-config(1), http.sslCAInfo).
  const other = process.env["GIT_SSL_CAINFO"];
  if (!other || resolve(other) === resolve(caFile)) return null;
  return `reads GIT_SSL_CAINFO (${other}) alone: unset it, or add ${caFile} to that file`;
}
