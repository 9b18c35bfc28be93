/** The systems whose files can be converted, and how their files are found. */
export const sourceSystems = ["github", "gitlab", "woodpecker", "bitbucket"] as const;
export type SourceSystem = (typeof sourceSystems)[number];

export const systemTitles: Readonly<Record<SourceSystem, string>> = {
  github: "GitHub Actions",
  gitlab: "GitLab CI/CD",
  woodpecker: "Woodpecker CI",
  bitbucket: "Bitbucket Pipelines",
};

/** By its path; null where that does not tell. */
export function systemOfPath(path: string): SourceSystem | null {
  const plain = `/${path.replaceAll("\\", "/")}`;
  if (/\/\.github\/workflows\/[^/]+\.ya?ml$/.test(plain)) return "github";
  if (/(?:^|[/.])gitlab-ci\.ya?ml$/.test(plain)) return "gitlab";
  if (/\/\.woodpecker(?:\/[^/]+)?\.ya?ml$/.test(plain)) return "woodpecker";
  return /\/bitbucket-pipelines\.ya?ml$/.test(plain) ? "bitbucket" : null;
}

/** By keys that only one system has; null where there are none, and for a file of ours. */
export function systemOfText(text: string): SourceSystem | null {
  const top = new Set([...text.matchAll(/^(["']?)([A-Za-z_][\w-]*)\1:/gm)].map(([, , key]) => key));
  if (top.has("version") && /^version: *["']?1["']? *$/m.test(text)) return null;
  const has = (key: RegExp) => new RegExp(`^[ -]*${key.source}:`, "m").test(text);
  if (top.has("pipelines")) return "bitbucket";
  if (top.has("jobs")) return top.has("on") && has(/(?:runs-on|uses)/) ? "github" : null;
  if (top.has("steps") || top.has("pipeline")) return has(/(?:commands|settings)/) ? "woodpecker" : null;
  return has(/ +script/) && !has(/(?:run|steps|commands)/) ? "gitlab" : null;
}

/** Where the new file belongs when it is not the only one: `.forgeline/NAME.yml`. */
export function stemOf(path: string): string {
  const base = path.replaceAll("\\", "/").split("/").at(-1) ?? "";
  const stem = base
    .replace(/\.ya?ml$/, "")
    .replace(/^\.+/, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-");
  return stem === "" ? "pipeline" : stem;
}
