/** A merge request as the API shows it. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export type MergeRequest = Schemas["MergeRequest"];
