/** Addresses of things in a repository, in the API and on the web. */
import type { Addresses } from "../../../platform/addresses.ts";

export interface RepositoryAddress {
  /** Each part is one segment, so slashes in it are encoded; a list of parts keeps slashes between them. */
  api(...parts: string[]): string;
  web(...parts: string[]): string;
}

export function repositoryAddress(
  addresses: Pick<Addresses, "baseUrl" | "webUrl">,
  repository: { owner: string; name: string },
): RepositoryAddress {
  const path = (parts: readonly string[]) => parts.map(encodeURIComponent).join("/");
  const names = [repository.owner, repository.name];
  return {
    api: (...parts) => `${addresses.baseUrl}/repos/${path([...names, ...parts])}`,
    web: (...parts) => `${addresses.webUrl}/${path([...names, ...parts])}`,
  };
}
