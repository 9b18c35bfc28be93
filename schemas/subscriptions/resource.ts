/** What somebody wants to be told of: of a repository, and of one issue or merge request. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";

export const subscriptionLevels = ["watching", "participating", "custom", "muted"] as const;
export const SubscriptionLevel = z
  .enum(subscriptionLevels)
  .describe(
    "`watching`: everything; `participating`: what involves them; `custom`: that, and everything of the kinds in `events`; `muted`: nothing.",
  );
export type SubscriptionLevel = z.infer<typeof SubscriptionLevel>;

export const subscribableKinds = ["issues", "merge_requests"] as const;
const Kinds = z.array(z.enum(subscribableKinds)).max(subscribableKinds.length);

export const RepositorySubscription = z
  .object({ level: SubscriptionLevel, events: Kinds.describe("Empty unless the level is `custom`.") })
  .meta({ id: "RepositorySubscription" });
export type RepositorySubscription = z.infer<typeof RepositorySubscription>;

export const RepositorySubscriptionUpdate = z
  .strictObject({
    level: SubscriptionLevel,
    events: Kinds.optional().describe("With the level `custom` at least one; otherwise none."),
  })
  .refine(({ level, events = [] }) => (level === "custom") === events.length > 0, {
    path: ["events"],
    error: "Name at least one kind with the level custom, and none with the others.",
  })
  .meta({ id: "RepositorySubscriptionUpdate", examples: [{ level: "custom", events: ["issues"] }] });
export type RepositorySubscriptionUpdate = z.infer<typeof RepositorySubscriptionUpdate>;

export const itemSubscriptionReasons = [
  "manual",
  "mention",
  "review_requested",
  "assign",
  "author",
  "comment",
  "watching",
] as const;

export const ItemSubscription = z
  .object({
    subscribed: z.boolean().describe("Whether they are told of what happens to it."),
    reason: z
      .enum(itemSubscriptionReasons)
      .nullable()
      .describe("Why they are told; `manual`: they asked to be. Null where they are not."),
    muted: z
      .enum(["thread", "repository"])
      .nullable()
      .describe(
        "They muted it: they are told only when somebody names or assigns them. A muted repository tells nothing.",
      ),
    notification: z
      .object({ id: idOf("ntf"), unread: z.boolean() })
      .nullable()
      .describe("Its entry in their inbox."),
  })
  .meta({ id: "ItemSubscription" });
export type ItemSubscription = z.infer<typeof ItemSubscription>;
