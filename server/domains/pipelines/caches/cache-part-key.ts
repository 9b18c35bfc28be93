/** Where parts of caches lie in the object store. Pure. */

export function cachePrefix(repositoryId: string): string {
  return `caches/${repositoryId}/`;
}

/** The name of a part contains its content, so that an address for other bytes never changes what is stored. */
export function cachePartKey(
  cache: { repository_id: string; id: string },
  part: { number: number; sha256: string },
): string {
  return `${cachePrefix(cache.repository_id)}${cache.id}/${part.number}-${part.sha256}`;
}
