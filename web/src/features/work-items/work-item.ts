/** What issues and merge requests have in common, as pages know it. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export type Comment = Schemas["Comment"];
export type TimelineEvent = Schemas["TimelineEvent"];
export type ItemLabel = Schemas["ItemLabel"];
export type ItemMilestone = Schemas["ItemMilestone"];
export type Person = Schemas["Person"];

interface PageQuery {
  page: number;
  per_page: number;
}

/** The operations of one issue or merge request. */
export interface WorkItemCalls {
  /** Names it, and begins the names of its lists in the cache. */
  key: readonly string[];
  comments: (query: PageQuery) => Promise<{ data?: Comment[] }>;
  timeline: (query: PageQuery) => Promise<{ data?: TimelineEvent[] }>;
  comment: (body: string) => Promise<{ data?: Comment }>;
  /** What its description is now. */
  newestBody: () => Promise<string>;
  saveBody: (body: string, previous: string) => Promise<unknown>;
}
