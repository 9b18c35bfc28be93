/** Where an object of a repository is in the object store: never under a text that somebody sent. */
import { createHash } from "node:crypto";

/** Two repositories share nothing: whoever knows an object's id has not thereby its bytes. */
export function objectKey(repositoryId: string, oid: string): string {
  const name = createHash("sha256").update(`${repositoryId} ${oid}`).digest("hex");
  return `${objectPrefix(repositoryId)}${name}`;
}

export function objectPrefix(repositoryId: string): string {
  return `lfs/${repositoryId}/`;
}
