/**
 * A REST operation as data. Validation, OpenAPI, permissions and clients are all made from it.
 * `id` is the `operationId`; `path` is in Express form (`/repos/:owner/:repo`), relative to `{base_url}`.
 */
import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { RateCategory } from "./rate-category.ts";
import type { RepositoryLevel } from "./repository-levels.ts";
import type { Scope } from "./scopes.ts";

export type RouteMethod = "get" | "post" | "put" | "patch" | "delete";

/**
 * Who may call. `public` needs no token; `user` any signed-in user; `repo_*` are levels on the repository (`:owner`,
 * `:repo`), `repo_signed_in` is for signed-in users who see it: reading alone is not enough for everyone and for tokens
 * without the scope, also where it is public; `org_*` are for the organization (`:org`): everyone, its members, its owners; `team_*` for a team of it
 * (`:team`): who sees it, who manages it.
 */
export type RouteAccess =
  | "public"
  | "user"
  | "instance_admin"
  | RepositoryRouteAccess
  | OrganizationRouteAccess;
export type RepositoryRouteAccess = `repo_${RepositoryLevel}` | "repo_signed_in";
export type OrganizationRouteAccess =
  | "org_visible"
  | "org_member"
  | "org_owner"
  | "team_visible"
  | "team_manage";

export interface RouteContract<
  Params extends z.ZodObject | undefined = z.ZodObject | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Response extends z.ZodType | undefined = z.ZodType | undefined,
> {
  id: string;
  method: RouteMethod;
  path: string;
  tag: string;
  summary: string;
  description?: string;
  access: RouteAccess;
  /** Scope that a token needs; none for public operations and for those that any token may use. */
  scope?: Scope;
  /** What could take an account over is for a signed-in browser, or a token that has every scope. */
  everyScope?: true;
  /**
   * `allowed` where a token that is limited to some repositories may call it although it is about no single one; it
   * then shows nothing of others. Without it such tokens reach repository operations and public ones only.
   */
  limitedTokens?: "allowed";
  /** `allowed` where bots may call an operation with access `user`; all others are for people. */
  bots?: "allowed";
  /** `allowed` where the token of a job may call it although it changes something. It may call no other such operation. */
  jobs?: "allowed";
  /**
   * `allowed` where the operation works on archived repositories although it needs more than reading. All others are
   * refused with `repository_archived`. `refused` where it changes something although reading is enough for it.
   */
  archived?: "allowed" | "refused";
  /** `only` where the operation is about the repository of that name that was deleted last. */
  deleted?: "only";
  params?: Params;
  query?: Query;
  body?: Body;
  /** Status of success: 200, 201 (with `Location`), 202 or 204. */
  status: 200 | 201 | 202 | 204;
  response?: Response;
  /** It may also answer 202 with the same body, as far as it has come by then. */
  mayTakeLonger?: true;
  /** It replaces what is there, and then answers 204 without a body. */
  mayExist?: true;
  /** Lists are paginated: `response` is an array and the paging headers are sent. */
  paginated?: boolean;
  /** Other representations of the same resource, chosen by `Accept`; sent by the handler itself. */
  alternatives?: readonly string[];
  /** The answer shows a secret: it is never stored for `Idempotency-Key`, and never cached. */
  showsSecret?: boolean;
  /**
   * What a request counts against, where it is not `core`. `auth` for whatever tries a secret (login, second factor,
   * reset, token exchange): 10 a minute an address, and a user where one is signed in. `public`
   * for what everybody reads before they are somebody. `free`: counts nothing.
   */
  rateCategory?: RateCategory | "free";
  /** Only what was refused counts: where success proves a secret that cannot be guessed. */
  countsRefusalsOnly?: true;
  /** The body is a file, which the handler reads as it comes; so it is not kept for an `Idempotency-Key`. */
  bytes?: true;
  /** Largest body in bytes, where it is not `defaultBodyBytes`. */
  bodyLimitBytes?: number;
  /** Codes beyond those every operation can answer with. */
  errors: readonly ErrorCode[];
}

/** What a form needs, and little enough that reading it holds nobody up. */
export const defaultBodyBytes = 64 * 1024;
/** Where a body carries a pipeline file, a long message or long lists. */
export const largeBodyBytes = 1024 * 1024;

/** Keeps the literal types of a contract. */
export function route<
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
>(contract: RouteContract<Params, Query, Body, Response>): RouteContract<Params, Query, Body, Response> {
  return contract;
}
