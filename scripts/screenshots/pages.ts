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
    { name: "sign-up", path: "/sign-up", isPublic: true, until: "Make an account" },
    { name: "settings", path: "/settings", until: "What others see of you" },
    { name: "two-factor", path: "/settings/two-factor", until: "It is off" },
    { name: "sessions", path: "/settings/sessions", until: "this one" },
    { name: "new-token", path: "/settings/tokens/new", until: "Create token" },
    { name: "keys", path: "/settings/keys", until: "SSH keys" },
    { name: "home", path: "/", until: repository, inDocs: true },
    { name: "owner", path: `/${owner}`, until: owner },
    { name: "components", path: "/-/components", until: "Components" },
  ];
}
