/** Which pages are pictured, of an instance of `npm start` with its demo. */
export interface PicturedPage {
  name: string;
  /** Address on the instance. */
  path: string;
  /** Seen without signing in. */
  isPublic?: boolean;
  /** Shown in `docs/`: desktop, light. */
  inDocs?: boolean;
}

/** `owner/repo`: of the demo. */
export function picturedPages(repository: string): PicturedPage[] {
  const owner = repository.split("/")[0] ?? "";
  const at = `/${repository}`;
  return [
    { name: "sign-in", path: "/login", isPublic: true },
    { name: "sign-up", path: "/sign-up", isPublic: true },
    { name: "home", path: "/" },
    { name: "repository", path: at, inDocs: true },
    { name: "file", path: `${at}/blob/main/.forgeline.yml` },
    { name: "commits", path: `${at}/commits/main` },
    { name: "branches", path: `${at}/branches` },
    { name: "pipelines", path: `${at}/pipelines`, inDocs: true },
    { name: "run", path: `${at}/pipelines/1`, inDocs: true },
    { name: "editor", path: `${at}/pipelines/edit?ref=main&file=.forgeline.yml` },
    { name: "statistics", path: `${at}/statistics`, inDocs: true },
    { name: "dependencies", path: `${at}/statistics/dependencies` },
    { name: "repository-settings", path: `${at}/settings` },
    { name: "new-repository", path: "/new" },
    { name: "owner", path: `/${owner}` },
    { name: "runners", path: "/runners", inDocs: true },
    { name: "settings", path: "/settings" },
    { name: "tokens", path: "/settings/tokens" },
    { name: "own-storage", path: "/settings/storage" },
    { name: "organizations", path: "/orgs" },
    { name: "users", path: "/-/admin/users" },
    { name: "background-work", path: "/-/admin/work" },
    { name: "encryption-keys", path: "/-/admin/keys" },
    { name: "health", path: "/-/admin", inDocs: true },
    { name: "components", path: "/-/components" },
  ];
}
