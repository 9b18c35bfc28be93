/** How much of what is allowed in which time: the categories of `spec.md` section 8 and the settings that change them. */
import { z } from "zod";
import type { RateCategory } from "@forgeline/schemas/core/rate-category.ts";

export interface RateLimit {
  /** 0: no limit. */
  requests: number;
  windowSeconds: number;
}

/** One of a signed-in user (or of an endpoint), one of an address without credential. */
export type RateLimitTable = Record<RateCategory, { user: RateLimit; address: RateLimit }>;

export const maxRateLimit = 1_000_000_000;
const hour = 3600;
const minute = 60;
const limit = (fallback: number, text: string) =>
  z.coerce.number().int().min(0).max(maxRateLimit).default(fallback).describe(`${text}; 0: no limit.`);

export const rateLimitSettings = {
  FORGELINE_LIMIT_CORE: limit(5_000, "API requests per hour of a user"),
  FORGELINE_LIMIT_UNAUTHENTICATED: limit(60, "API requests per hour of an address without a token"),
  FORGELINE_LIMIT_AUTH: limit(10, "Attempts to sign in per minute, for an address and for an account"),
  FORGELINE_LIMIT_SEARCH: limit(30, "Searches per minute of a user or address"),
  FORGELINE_LIMIT_GIT: limit(1_000, "Git operations per hour of a user or address"),
  FORGELINE_LIMIT_GRAPHQL: limit(5_000, "GraphQL points per hour of a user or address"),
  FORGELINE_LIMIT_PACKAGES: limit(1_000, "Requests to the package registry per hour of a user or address"),
  FORGELINE_LIMIT_WEBHOOK: limit(10_000, "Deliveries per hour to one webhook"),
  FORGELINE_LIMIT_WEB: limit(5_000, "Requests per hour of a browser session"),
  FORGELINE_LIMIT_WEB_UNAUTHENTICATED: limit(1_000, "Page requests per hour of an address without a session"),
  FORGELINE_LIMIT_SOCKETS: limit(
    600,
    "Sockets opened and tickets for them requested per minute by a user or address; a refused socket counts as ten",
  ),
  FORGELINE_LIMIT_PUBLIC: limit(
    5_000,
    "Requests per hour of a user or address for what this instance says of itself to everybody",
  ),
};

type Settings = { [Name in keyof typeof rateLimitSettings]: number };

export function toRateLimits(env: Settings): RateLimitTable {
  const both = (requests: number, windowSeconds: number, ofAddress = requests) => ({
    user: { requests, windowSeconds },
    address: { requests: ofAddress, windowSeconds },
  });
  return {
    core: both(env.FORGELINE_LIMIT_CORE, hour, env.FORGELINE_LIMIT_UNAUTHENTICATED),
    auth: both(env.FORGELINE_LIMIT_AUTH, minute),
    search: both(env.FORGELINE_LIMIT_SEARCH, minute),
    git: both(env.FORGELINE_LIMIT_GIT, hour),
    graphql: both(env.FORGELINE_LIMIT_GRAPHQL, hour),
    packages: both(env.FORGELINE_LIMIT_PACKAGES, hour),
    webhook: both(env.FORGELINE_LIMIT_WEBHOOK, hour),
    web: both(env.FORGELINE_LIMIT_WEB, hour, env.FORGELINE_LIMIT_WEB_UNAUTHENTICATED),
    sockets: both(env.FORGELINE_LIMIT_SOCKETS, minute),
    public: both(env.FORGELINE_LIMIT_PUBLIC, hour),
  };
}
