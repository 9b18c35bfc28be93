/** A request to a target, with what can go wrong in words for whoever set it up. */
import type { Connections, Post, PostResponse } from "../../../platform/outbound/connections.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import { problemSentence } from "../webhooks/problems.ts";
import { TargetProblem } from "./stream-target.ts";

/** Resolves with any status. Throws TargetProblem, and the signal's reason. */
export async function posted(connections: Connections, post: Post): Promise<PostResponse> {
  try {
    return await connections.post(post);
  } catch (error) {
    post.signal?.throwIfAborted();
    throw problemOf(error);
  }
}

/** What is not about the target stays as it is. */
export function problemOf(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  return new TargetProblem(problemSentence(error.reason, null) ?? "", { cause: error });
}
