/**
 * Reads the templates of one file: from its own commit, and from other repositories at the commit that a ref names now. What
 * whoever starts the run may not read counts as what does not exist. All reads are bounded.
 */
import { limits } from "@forgeline/compiler/limits.ts";
import type { TemplateFile, TemplateFiles } from "@forgeline/compiler/templates/library.ts";
import { readReference, type TemplateReference } from "@forgeline/compiler/templates/reference.ts";
import type { RunTemplate } from "@forgeline/schemas/pipelines/template.ts";
import { anonymousActor, type Actor } from "../../../platform/access/actor.ts";
import type { Reach } from "../../../platform/access/reach.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { RepositoryFiles, ResolvedRef } from "../../../platform/git/storage/repository-files.ts";
import { isObjectId } from "../../../platform/git/refs/names.ts";
import type { Authorizer } from "../../policy/domain.ts";

export interface TemplateDeps {
  files: RepositoryFiles;
  authorizer: Pick<Authorizer, "authorizeRepository">;
}

export interface TemplatesFrom {
  /** Of the file that uses them. */
  repositoryId: string;
  sha: string;
  /** On whose behalf other repositories are read. Absent: they are not, and the file is not for a run. */
  reader?: Actor;
}

/**
 * Someone whose request is not at hand any more: a schedule acts with the rights of its owner, as far as the credential
 * reached.
 */
export function actorOf(userId: string | null, limits: { repositoryId: string; reach: Reach }): Actor {
  if (userId === null) return anonymousActor;
  const starts = limits.reach === "starts" ? (["pipeline:read", "pipeline:write"] as const) : [];
  return {
    ...anonymousActor,
    kind: "user",
    userId,
    scopes: ["repo:read", ...starts],
    repositoryIds: limits.reach === "here" ? [limits.repositoryId] : null,
  };
}

interface Pinned extends ResolvedRef {
  repositoryId: string;
}
type Problem = Extract<TemplateFile, { problem: string }>;

/** `maxKib`: of each. `pinned`: where those come from that were read, in their order. */
export function createTemplateReader(deps: TemplateDeps, from: TemplatesFrom, maxKib: number) {
  const sources = new Map<string, Promise<Pinned | Problem>>();
  const pinned = new Map<string, RunTemplate>();
  let bytesLeft = limits.templateChars;

  function sourceOf({ repository, ref }: { repository: string; ref: string }, reader: Actor) {
    const key = `${repository}@${ref}`;
    let found = sources.get(key);
    if (!found) sources.set(key, (found = pin(deps, { repository, ref }, reader)));
    return found;
  }

  async function readOne(key: string): Promise<TemplateFile> {
    const parsed = readReference(key, null);
    if (!("reference" in parsed)) return { problem: parsed.problem, hint: parsed.hint };
    const { reference } = parsed;
    if (reference.source !== null && !from.reader) return { elsewhere: true };
    const source =
      reference.source === null || !from.reader
        ? { repositoryId: from.repositoryId, sha: from.sha, ref: null }
        : await sourceOf(reference.source, from.reader);
    if ("problem" in source) return source;
    const file = { sha: source.sha, path: reference.path, maxBytes: maxKib * 1024 };
    const found = await deps.files.readFile(source.repositoryId, file);
    const at = reference.source?.ref ?? source.sha.slice(0, 8);
    if (!found) return { problem: `${nameOf(reference)} does not exist at ${at}`, hint: null };
    if (!found.bytes) return { problem: `${nameOf(reference)} is larger than ${maxKib} KiB`, hint: null };
    bytesLeft -= found.bytes.length;
    if (bytesLeft < 0) return { problem: "the templates are larger than 4 MiB together", hint: null };
    const { repository = null, ref = null } = reference.source ?? {};
    pinned.set(key, { uses: key, repository, path: reference.path, ref, sha: source.sha });
    const isMoving = ref !== null && !isObjectId(ref) && source.ref?.startsWith("refs/heads/");
    return { text: found.bytes.toString("utf8"), ...(isMoving ? { branch: ref } : {}) };
  }

  return {
    async read(keys: readonly string[]): Promise<TemplateFiles> {
      const files = await Promise.all(keys.map(async (key) => [key, await readOne(key)] as const));
      return Object.fromEntries(files);
    },
    /** Of those that the file uses. */
    pinned: (keys: readonly string[]) => keys.flatMap((key) => pinned.get(key) ?? []),
  };
}

function nameOf({ source, path }: TemplateReference): string {
  return source === null ? path : `${source.repository}//${path}`;
}

/** One sentence for what does not exist and for what the reader may not see. */
async function pin(
  { files, authorizer }: TemplateDeps,
  { repository, ref }: { repository: string; ref: string },
  reader: Actor,
): Promise<Pinned | Problem> {
  const [owner = "", name = ""] = repository.split("/");
  const found = await readable(authorizer, { owner, name }, reader);
  if (found === null)
    return {
      problem: `there is no repository ${repository}, or whoever starts this run may not read it`,
      hint: "templates can come from public repositories, and from those that whoever starts the run may read",
    };
  const resolved = await files.resolveRef(found, ref);
  if (!resolved) return { problem: `${repository} has no branch, tag or commit "${ref}"`, hint: null };
  return { ...resolved, repositoryId: found };
}

/** Its id. What everybody may read needs no right of one's own. */
async function readable(
  authorizer: TemplateDeps["authorizer"],
  address: { owner: string; name: string },
  reader: Actor,
): Promise<string | null> {
  for (const actor of reader.kind === "user" || reader.kind === "bot"
    ? [reader, anonymousActor]
    : [anonymousActor]) {
    try {
      const { repository } = await authorizer.authorizeRepository(
        actor,
        { access: "repo_read", scope: "repo:read" },
        address,
      );
      return repository.id;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return null;
}
