/** Where parts of artifacts lie in the object store. Pure. */

export function artifactPrefix(repositoryId: string): string {
  return `artifacts/${repositoryId}/`;
}

/** The name of a part contains its content, so that an address for other bytes never changes what is stored. */
export function partKey(
  artifact: { repository_id: string; id: string },
  part: { number: number; sha256: string },
): string {
  return `${artifactPrefix(artifact.repository_id)}${artifact.id}/${part.number}-${part.sha256}`;
}
