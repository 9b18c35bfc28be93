/** The actor of a request: one shape for every entry point (REST, Git, sockets, command line, our own processes). */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Geo } from "../geo.ts";
import { AppError } from "../app-error.ts";

export interface Actor {
  kind: "anonymous" | "user" | "bot" | "job" | "runner" | "deploy_key" | "system";
  /** The user (of a bot: the bot) on whose behalf things happen; null for anonymous, runners, deploy keys and the system. */
  userId: string | null;
  username: string;
  isAdmin: boolean;
  /** Scopes of the credential; the system and signed-in people have all. */
  scopes: readonly Scope[];
  /** Id of the token used, for revocation and last use; null without one. */
  tokenId: string | null;
  /** Id of the browser session, where that is the credential. */
  sessionId: string | null;
  /** Repositories that the credential is limited to; null: no limit. */
  repositoryIds: readonly string[] | null;
  /** A job token sees this repository only, and only until its attempt ends. */
  job: JobHolder | null;
  /** A repository's own key sees this repository only. */
  deployKey?: DeployKeyHolder;
  request: { id: string; ipAddress: string; userAgent: string; readonly geo?: Geo | null } | null;
}

export interface JobHolder {
  attemptId: string;
  repositoryId: string;
  id: string;
  pipelineId: string;
  /** `ship of ada/site#12`, for records of what it did. */
  name: string;
  /** Whoever is behind the run may write, now. */
  mayWrite: boolean;
  /** An administrator started the run: it reads its repository without anybody's role there. */
  isOfAdmin: boolean;
  /** Why its scopes are fewer than `permissions` asks for, as a sentence; null: they are not. */
  limit: string | null;
}

export interface DeployKeyHolder {
  id: string;
  repositoryId: string;
  permission: "read" | "write";
  /** The user recorded for pushes with this key; null if that user is gone or suspended. */
  addedBy: { id: string; username: string } | null;
}

export const systemActor: Actor = {
  kind: "system",
  userId: null,
  username: "system",
  isAdmin: true,
  scopes: [],
  tokenId: null,
  sessionId: null,
  repositoryIds: null,
  job: null,
  request: null,
};

export const anonymousActor: Actor = {
  kind: "anonymous",
  userId: null,
  username: "anonymous",
  isAdmin: false,
  scopes: [],
  tokenId: null,
  sessionId: null,
  repositoryIds: null,
  job: null,
  request: null,
};

/** Throws `unauthorized` if the actor does not act for a user. */
export function userIdOf(actor: Actor): string {
  if (actor.userId === null) throw new AppError("unauthorized");
  return actor.userId;
}

/** The user recorded for a push; undefined if there is none. */
export function pusherOf(actor: Actor): { id: string; username: string } | undefined {
  if (actor.deployKey) return actor.deployKey.addedBy ?? undefined;
  return actor.userId === null ? undefined : { id: actor.userId, username: actor.username };
}
