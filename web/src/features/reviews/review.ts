/** Reviews and threads of merge requests, as the API shows them. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export type Review = Schemas["Review"];
export type Thread = Schemas["Thread"];
export type ReviewEvent = Schemas["ReviewSubmit"]["event"];
export type Reviewer = Schemas["Reviewer"];
export type CommentSuggestions = Schemas["CommentSuggestions"];
export type Suggestion = CommentSuggestions["suggestions"][number];
