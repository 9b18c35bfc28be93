/** What a 404 means, in words, where the server says only "Not found.". Told from the address that was asked. */

/** What lists are made of, by the name that the list has in addresses. */
const nouns: Record<string, string> = {
  branches: "branch",
  bots: "bot",
  commits: "commit",
  "deploy-keys": "deploy key",
  deployments: "deployment",
  environments: "environment",
  invitations: "invitation",
  "oauth-apps": "app",
  pipelines: "run",
  "push-mirrors": "push mirror",
  schedules: "schedule",
  tags: "tag",
  variables: "variable",
  webhooks: "webhook",
};

interface Owner {
  /** As in a sentence: `ada/code`. */
  name: string;
  /** What is said where the owner itself is missing. */
  missing: string;
  /** The parts of the address after it. */
  rest: string[];
}

/** `path` is relative to the REST root, its parts encoded. */
export function absenceText(path: string): string {
  const parts = path.split("/").map(decodeURIComponent);
  const owner = ownerOf(parts);
  const sentence = owner && sentenceOf(owner);
  return sentence
    ? `${sentence}, or you may not see it`
    : `not found, or you may not see it: ${parts.join("/")}`;
}

function ownerOf([kind, name = "", repo = "", ...rest]: string[]): Owner | undefined {
  if (kind === "repos" && repo !== "") {
    const fullName = `${name}/${repo}`;
    return { name: fullName, missing: `there is no repository ${fullName}`, rest };
  }
  const afterName = repo === "" ? [] : [repo, ...rest];
  if (kind === "orgs") return { name, missing: `there is no organization ${name}`, rest: afterName };
  if (kind === "admin") return { name: "the instance", missing: "", rest: [name, ...afterName] };
  return undefined;
}

/** Undefined where several things could be missing. */
function sentenceOf({ name, missing, rest }: Owner): string | undefined {
  const [first = "", second, third] = rest;
  if (rest.length === 0) return missing || undefined;
  if (first === "mirror" && second !== "preview") return `${name} is not a mirror`;
  if (first === "mirror") return missing;
  if (first === "sync" && second === "schedule") return `${name} is not synced by itself`;
  if (first === "audit-log" && second === "stream") return `${name} has no audit stream`;
  if (first === "audit-log" && second === "exports" && third) return `${name} has no export ${third}`;
  // Of an environment, its own lists are like those of a repository.
  if (first === "environments" && third !== undefined) {
    const of = { name: `${second} of ${name}`, missing: `${name} has no environment ${second}` };
    return sentenceOf({ ...of, rest: rest.slice(2) });
  }
  const noun = nouns[first];
  if (noun === undefined || rest.length > 3) return undefined;
  if (second === undefined) return missing || undefined;
  // What is asked of one thing comes after its id; a list in it could be of another thing.
  return third !== undefined && third in nouns ? undefined : `${name} has no ${noun} ${second}`;
}
