/** The key of an object in the object store: never made of text that a client sent. */
import { createHash } from "node:crypto";

/** Repositories share nothing: knowing an object's id must not be enough to get its bytes. */
export function objectKey(repositoryId: string, oid: string): string {
  const name = createHash("sha256").update(`${repositoryId} ${oid}`).digest("hex");
  return `${objectPrefix(repositoryId)}${name}`;
}

export function objectPrefix(repositoryId: string): string {
  return `lfs/${repositoryId}/`;
}
