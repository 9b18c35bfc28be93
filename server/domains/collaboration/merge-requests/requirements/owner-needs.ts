/** Which code owners have to approve a merge request: lines of CODEOWNERS at the target's commit that match changed files. */
import type { MatchedRule } from "@forgeline/compiler/code-owners/match.ts";
import { AppError } from "../../../../platform/app-error.ts";
import type { Queryable } from "../../../../platform/db/database.ts";
import type { RepositoryFiles } from "../../../../platform/git/storage/repository-files.ts";
import type { RepositoryHistory } from "../../../../platform/git/storage/repository-history.ts";
import type { KnownOwner } from "../../code-owners/known-owners.ts";
import type { CodeOwnersService } from "../../code-owners/service.ts";
import { membersAmong } from "./decisions.store.ts";
import type { OwnerNeed } from "./judge.ts";

/** What is compared, and whose it is. */
export interface Subject {
  id: string;
  number: number;
  authorId: string | null;
  head: string;
  target: string;
}

export interface ShownNeed extends OwnerNeed {
  /** As the line names them. */
  owners: string[];
  /** Of its deciders, those whom the viewer may know as owners: not by a team that they do not see. */
  visible: ReadonlySet<string>;
}

export interface OwnerNeedsDeps {
  db: Queryable;
  files: Pick<RepositoryFiles, "changedPaths">;
  history: Pick<RepositoryHistory, "mergeBases">;
  codeOwners: Pick<CodeOwnersService, "hasFile" | "ownersOf">;
}

const maxPaths = 10_000;
const maxBases = 8;

/** A line with those of its owners that there are. */
export interface OwnedLine extends MatchedRule {
  known: KnownOwner[];
}

interface Asked {
  /** Which teams they see is theirs. */
  viewer: Parameters<CodeOwnersService["ownersOf"]>[0];
  repositoryId: string;
  subject: Subject;
}

/** Each line that matches a changed file and has owners, in their order. Null: it changes too much to tell. */
export async function findOwned(deps: OwnerNeedsDeps, asked: Asked): Promise<OwnedLine[] | null> {
  const { viewer, repositoryId, subject } = asked;
  const sha = subject.target;
  // Without it the changes need not be looked through, which takes Git longer.
  if (!(await deps.codeOwners.hasFile(repositoryId, sha))) return [];
  const paths = await pathsOf(deps, repositoryId, subject);
  if (paths === null) return null;
  try {
    const owned = await deps.codeOwners.ownersOf(viewer, { id: repositoryId }, { sha, paths });
    return distinctLines(owned?.paths ?? [])
      .map((line) => ({ ...line, known: line.rule.owners.flatMap((owner) => owned?.known(owner) ?? []) }))
      .filter(({ known }) => known.length > 0);
  } catch (error) {
    if (error instanceof AppError && error.code === "validation_failed") return null;
    throw error;
  }
}

/**
 * Where the branches have merged each other there are several places at which the changes may begin. What the head has as all of them
 * have it, a merge does not change. Null: there is too much to tell, or no common history.
 */
async function pathsOf(
  { history, files }: OwnerNeedsDeps,
  repositoryId: string,
  { head: after, target }: Subject,
): Promise<string[] | null> {
  const bases = await history.mergeBases(repositoryId, target, after);
  if (bases.length === 0 || bases.length > maxBases) return null;
  const found = new Set<string>();
  for (const before of bases) {
    // A base has all that the head began with, so nothing is compared with the default branch.
    const change = { before, after, ref: "", defaultBranch: "" };
    const paths = await files.changedPaths(repositoryId, change, maxPaths);
    if (paths === null) return null;
    for (const path of paths) found.add(path);
  }
  return found.size > maxPaths ? null : [...found].toSorted();
}

/** Null: it changes too much to tell. `deciders`: who has decided so far. */
export async function findOwnerNeeds(
  deps: OwnerNeedsDeps,
  asked: Asked & { deciders: readonly string[] },
): Promise<ShownNeed[] | null> {
  const { subject, deciders } = asked;
  const owned = await findOwned(deps, asked);
  if (owned === null) return null;
  const lines = owned.filter(({ section }) => !section.optional);
  const teams = lines.flatMap(({ known }) => known.flatMap((owner) => teamOf(owner) ?? []));
  const members = await membersAmong(deps.db, deciders, [...new Set(teams.map(({ teamId }) => teamId))]);
  return lines.map(({ section, rule, known }) => {
    const decidersOf = (owners: readonly KnownOwner[]) =>
      new Set(deciders.filter((userId) => owners.some((owner) => isOwner(owner, userId, members))));
    return {
      pattern: rule.pattern,
      section: section.name,
      approvals: possible(section.approvals, known, subject.authorId),
      owners: rule.owners.map(({ text }) => text),
      deciders: decidersOf(known),
      visible: decidersOf(known.filter((owner) => owner.type === "user" || owner.visible)),
    };
  });
}

/** Each line once. */
function distinctLines(paths: readonly { matched: MatchedRule[] }[]): MatchedRule[] {
  const lines = new Map<number, MatchedRule>();
  for (const { matched } of paths) for (const each of matched) lines.set(each.rule.line, each);
  return [...lines.values()].toSorted((one, other) => one.rule.line - other.rule.line);
}

function teamOf(owner: KnownOwner): { teamId: string } | undefined {
  return owner.type === "team" ? owner : undefined;
}

function isOwner(
  owner: KnownOwner,
  userId: string,
  members: readonly { user_id: string; team_id: string }[],
): boolean {
  if (owner.type === "user") return owner.userId === userId;
  return members.some((member) => member.user_id === userId && member.team_id === owner.teamId);
}

/** Where fewer people own a line than its section asks for, all of them; the author is none of them. */
function possible(wanted: number, known: readonly KnownOwner[], authorId: string | null): number {
  if (known.some(({ type }) => type === "team")) return wanted;
  const others = new Set(known.flatMap((owner) => (owner.type === "user" ? [owner.userId] : [])));
  if (authorId !== null) others.delete(authorId);
  return Math.max(1, Math.min(wanted, others.size));
}
