/**
 * The types with which features bind handlers to contracts. Everything bound is also documented: the OpenAPI document and the
 * permission table are made from `contracts()`.
 */
import type { Request, Response } from "express";
import type { z } from "zod";
import type { RouteContract } from "@forgeline/schemas/core/route.ts";
import type { Actor } from "../../platform/access/actor.ts";
import type { GrantedOrganization, GrantedTeam, GrantedRepository } from "../../domains/policy/domain.ts";

type Parsed<S, Otherwise> = S extends z.ZodType ? z.output<S> : Otherwise;

export interface RouteInput<Params, Query, Body> {
  actor: Actor;
  params: Parsed<Params, Record<never, never>>;
  query: Parsed<Query, Record<never, never>>;
  body: Parsed<Body, undefined>;
  /** Makes a signal that aborts when the client disconnects before its answer. A function, since making one for each request is expensive. */
  disconnected(): AbortSignal;
  /**
   * Takes one of the caller's request slots for the next piece of a streamed answer, which holds none once it has begun.
   * Resolves with a function that gives the slot back; throws as `RequestSlots.enter`.
   */
  turn(): Promise<() => void>;
  /** `Accept` of the request, for contracts with alternatives. */
  accept: string;
  /**
   * Cheap revalidation: `version` names the state of what will be shown. Sets the ETag; if the client has this state already,
   * the request ends here with 304 and the handler does not continue.
   */
  revalidate(version: string): void;
  /** For alternatives only: write to `raw.res` and return `sentByHandler`. */
  raw: { req: Request; res: Response };
}

/** Additional input of contracts with `repo_*` access. */
export type RepositoryGrant = GrantedRepository;

/** Additional input of contracts with `org_*` access. */
export type OrganizationGrant = GrantedOrganization;
/** Additional input of contracts with `team_*` access. */
export type TeamGrant = GrantedTeam;

export interface Reply<Body> {
  body: Body;
  /** Required with 201: the address of the new record, as in its `url`. */
  location?: string;
  /** For contracts that may take longer: it goes on, and the answer is 202. */
  accepted?: boolean;
  /** For contracts of what may exist: it did, and the answer is 204. */
  existed?: boolean;
  /** Required for paginated contracts: the number of all items. */
  total?: number;
  headers?: Record<string, string>;
}

export const sentByHandler = Symbol("sent by handler");

export type RouteHandler<Params, Query, Body, Response> = (
  input: RouteInput<Params, Query, Body>,
) => Promise<
  Response extends z.ZodType ? Reply<z.input<Response>> | typeof sentByHandler : void | typeof sentByHandler
>;

export type GrantedRouteHandler<Grant, Params, Query, Body, Response> = (
  input: RouteInput<Params, Query, Body> & Grant,
) => ReturnType<RouteHandler<Params, Query, Body, Response>>;

export interface RouteBinder {
  /** For contracts with access `public`, `user` or `instance_admin`. */
  bind<
    P extends z.ZodObject | undefined,
    Q extends z.ZodObject | undefined,
    B extends z.ZodType | undefined,
    R extends z.ZodType | undefined,
  >(
    contract: RouteContract<P, Q, B, R>,
    handler: RouteHandler<NoInfer<P>, NoInfer<Q>, NoInfer<B>, NoInfer<R>>,
  ): void;
  /** For contracts with `repo_*` access; `params` must hold `owner` and `repo`. Permission is checked before. */
  bindRepository<
    P extends z.ZodObject | undefined,
    Q extends z.ZodObject | undefined,
    B extends z.ZodType | undefined,
    R extends z.ZodType | undefined,
  >(
    contract: RouteContract<P, Q, B, R>,
    handler: GrantedRouteHandler<RepositoryGrant, NoInfer<P>, NoInfer<Q>, NoInfer<B>, NoInfer<R>>,
  ): void;
  /** For contracts with `org_*` access; `params` must hold `org`. */
  bindOrganization<
    P extends z.ZodObject | undefined,
    Q extends z.ZodObject | undefined,
    B extends z.ZodType | undefined,
    R extends z.ZodType | undefined,
  >(
    contract: RouteContract<P, Q, B, R>,
    handler: GrantedRouteHandler<OrganizationGrant, NoInfer<P>, NoInfer<Q>, NoInfer<B>, NoInfer<R>>,
  ): void;
  /** For contracts with `team_*` access; `params` must hold `org` and `team`, the path of the team. */
  bindTeam<
    P extends z.ZodObject | undefined,
    Q extends z.ZodObject | undefined,
    B extends z.ZodType | undefined,
    R extends z.ZodType | undefined,
  >(
    contract: RouteContract<P, Q, B, R>,
    handler: GrantedRouteHandler<TeamGrant, NoInfer<P>, NoInfer<Q>, NoInfer<B>, NoInfer<R>>,
  ): void;
  contracts(): readonly RouteContract[];
}
