/** Which pages are pictured, of an instance of `npm start` with its demo. */
export interface PicturedPage {
  name: string;
  /** Address on the instance. */
  path: string;
  /** Seen without signing in. */
  isPublic?: boolean;
  /** A text that stands on the page once all of it is there. */
  until: string;
  /** Shown in `docs/`: desktop, light. */
  inDocs?: boolean;
}

/** `owner/repo`: of the demo. */
export function picturedPages(repository: string): PicturedPage[] {
  const owner = repository.split("/")[0] ?? "";
  const at = `/${repository}`;
  return [
    { name: "sign-in", path: "/login", isPublic: true, until: "Sign in" },
    { name: "sign-up", path: "/sign-up", isPublic: true, until: "Sign up" },
    { name: "home", path: "/", until: repository },
    { name: "repository", path: at, until: "README", inDocs: true },
    { name: "file", path: `${at}/blob/main/.forgeline.yml`, until: "Three stages" },
    { name: "commits", path: `${at}/commits/main`, until: "Commits" },
    { name: "branches", path: `${at}/branches`, until: "main" },
    { name: "pipelines", path: `${at}/pipelines`, until: "#1", inDocs: true },
    { name: "run", path: `${at}/pipelines/1`, until: "success", inDocs: true },
    { name: "editor", path: `${at}/pipelines/edit?ref=main&file=.forgeline.yml`, until: "Commit" },
    { name: "insights", path: `${at}/insights`, until: "Languages", inDocs: true },
    { name: "repository-settings", path: `${at}/settings`, until: "Settings" },
    { name: "new-repository", path: "/new", until: "New repository" },
    { name: "owner", path: `/${owner}`, until: owner },
    { name: "runners", path: "/runners", until: "local", inDocs: true },
    { name: "settings", path: "/settings", until: "Profile" },
    { name: "tokens", path: "/settings/tokens", until: "token" },
    { name: "organizations", path: "/orgs", until: "Organizations" },
    { name: "users", path: "/-/admin/users", until: owner },
    { name: "health", path: "/-/admin", until: "postgresql", inDocs: true },
    { name: "components", path: "/-/components", until: "Components" },
  ];
}
