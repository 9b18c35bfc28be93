/** Reactions as the REST interface shows them. */
import {
  reactionNames,
  type Reaction,
  type ReactionName,
  type Reactions,
} from "@forgeline/schemas/reactions/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentEventUser } from "../../accounts/domain.ts";
import type { CountedReaction, ReactionRow } from "./reactions.store.ts";

export function presentReactions(counted: readonly CountedReaction[]): Reactions {
  const countOf = (name: ReactionName) => counted.find((each) => each.name === name)?.count ?? 0;
  const counts = Object.fromEntries(reactionNames.map((name) => [name, countOf(name)])) as Record<
    ReactionName,
    number
  >;
  return {
    total_count: counted.reduce((sum, { count }) => sum + count, 0),
    ...counts,
    viewer: reactionNames.filter((name) => counted.some((each) => each.name === name && each.mine)),
  };
}

export function presentReaction(row: ReactionRow, addresses: Addresses): Reaction {
  return {
    name: row.name,
    user: presentEventUser(row.user, addresses),
    created_at: row.created_at.toISOString(),
  };
}
