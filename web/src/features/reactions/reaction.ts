/** Reactions as pages know them. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export type Reactions = Schemas["Reactions"];
export type Reaction = Schemas["Reaction"];
export type ReactionName = Reaction["name"];
