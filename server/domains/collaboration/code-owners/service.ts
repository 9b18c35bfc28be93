/** Who owns the files of a repository: what its CODEOWNERS file says, and what is wrong with it. */
import { matchSteps, rulesFor, type MatchedRule } from "@forgeline/compiler/code-owners/match.ts";
import { parseCodeOwners } from "@forgeline/compiler/code-owners/parse.ts";
import { withSource } from "@forgeline/compiler/code-owners/with-source.ts";
import { MatchingTooLong } from "@forgeline/compiler/code-owners/path-pattern.ts";
import type {
  CodeOwnersCheck,
  CodeOwnersErrors,
  PathOwners,
} from "@forgeline/schemas/code-owners/resource.ts";
import type { PathOwnersQuery } from "@forgeline/schemas/code-owners/routes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { CommitService } from "../../hosting/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { createCodeOwnersFiles, type ReadCodeOwners } from "./files.ts";
import { findKnownOwners, type KnownOwners, type KnownOwnersDeps } from "./known-owners.ts";
import { judgesTeams, type Viewer } from "./owners.store.ts";
import { presentRule } from "./present.ts";
import { unknownOwners } from "./unknown-owners.ts";

export interface CodeOwnersService {
  /** As far as the actor may know who exists. Throws `not_found` for an unknown ref, and where there is no such file. */
  errors(actor: Actor, repository: RepositoryRef, ref: string | undefined): Promise<CodeOwnersErrors>;
  /** As `errors`, of a text. */
  check(actor: Actor, repository: RepositoryRef, text: string): Promise<CodeOwnersCheck>;
  /** Throws `not_found` for an unknown ref, and `validation_failed` as `ownersOf`. */
  pathOwners(actor: Actor, repository: RepositoryRef, query: PathOwnersQuery): Promise<PathOwners>;
  /** Whether the commit has such a file. */
  hasFile(repositoryId: string, sha: string): Promise<boolean>;
  /**
   * Which lines of the commit's file ask whom for each of the paths. undefined where there is no such file. Throws
   * `validation_failed` where the patterns take too long to compare with so many paths.
   */
  ownersOf(
    viewer: Viewer,
    repository: Pick<RepositoryRef, "id">,
    asked: { sha: string; paths: readonly string[] },
  ): Promise<OwnedPaths | undefined>;
}

export interface OwnedPaths {
  /** The path of the file. */
  file: string;
  /** In the order of the paths. */
  paths: { path: string; matched: MatchedRule[] }[];
  /** Of all owners that the lines name. */
  known: KnownOwners;
}

export interface CodeOwnersDeps extends KnownOwnersDeps {
  files: RepositoryFiles;
  commits: Pick<CommitService, "resolve" | "resolveIfBegun">;
}

export function createCodeOwnersService(deps: CodeOwnersDeps): CodeOwnersService {
  const { db, commits } = deps;
  const files = createCodeOwnersFiles(deps.files);

  const ownersOf: CodeOwnersService["ownersOf"] = async (viewer, repository, { sha, paths }) => {
    const found = await files.find(repository.id, sha);
    if (!found) return undefined;
    const budget = { steps: matchSteps };
    const matched = withinBudget(() =>
      paths.map((path) => ({ path, matched: rulesFor(found.said, path, budget) })),
    );
    const owners = new Set(matched.flatMap((each) => each.matched.flatMap(({ rule }) => rule.owners)));
    const known = await findKnownOwners(deps, { repositoryId: repository.id, owners, viewer });
    return { file: found.path, paths: matched, known };
  };

  async function checked(actor: Actor, repository: RepositoryRef, { said, text }: ReadCodeOwners) {
    const { mentions, errors, errorCount } = said;
    const owners = new Set(mentions.map(({ owner }) => owner));
    const wanted = { repositoryId: repository.id, owners, viewer: actor };
    const hasTeams = mentions.some(({ owner }) => owner.type === "team");
    const unknown = unknownOwners(mentions, {
      owner: repository.owner,
      known: await findKnownOwners(deps, wanted),
      judgesTeams: hasTeams && (await judgesTeams(db, repository.id, actor)),
    });
    const all = [...errors, ...unknown.errors];
    return { total: errorCount + unknown.count, errors: withSource(all, text) };
  }

  return {
    ownersOf,
    hasFile: async (repositoryId, sha) => (await files.find(repositoryId, sha)) !== undefined,
    async errors(actor, repository, ref) {
      const { sha } = await commits.resolve(repository, ref);
      const found = await files.findText(repository.id, sha);
      if (!found) throw new AppError("not_found");
      return { path: found.path, sha, ...(await checked(actor, repository, found)) };
    },
    check: (actor, repository, text) => checked(actor, repository, { text, said: parseCodeOwners(text) }),
    async pathOwners(actor, repository, { ref, path = null }) {
      const nothing = { file: null, path, rules: [] };
      const start = await commits.resolveIfBegun(repository, ref);
      if (!start) return nothing;
      const asked = { sha: start.sha, paths: path === null ? [] : [path] };
      const owned = await ownersOf(actor, repository, asked);
      if (!owned) return nothing;
      const rules = owned.paths.flatMap(({ matched }) => matched);
      return { file: owned.file, path, rules: rules.map((each) => presentRule(each, owned.known)) };
    },
  };
}

/** Throws `validation_failed` for work that ends at its budget. */
function withinBudget<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MatchingTooLong)) throw error;
    const message =
      "The patterns of the CODEOWNERS file take too long to compare with these paths. Patterns with fewer * and a directory in front are faster.";
    throw invalidField("path", "too_long", message);
  }
}
