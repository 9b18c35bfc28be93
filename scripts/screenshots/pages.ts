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
  return [
    { name: "sign-in", path: "/login", isPublic: true, until: "Sign in" },
    { name: "home", path: "/", until: repository, inDocs: true },
    { name: "owner", path: `/${owner}`, until: owner },
    { name: "components", path: "/-/components", until: "Components" },
  ];
}
