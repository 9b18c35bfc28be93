/** What people do while they review a merge request: ada proposed it, ben reads. */
import type { Driver } from "./driver.ts";
import { changeReactions } from "./reactions.ts";
import type { Cast } from "./organization.ts";

/** `path` is that of the merge request, `file` one that it changes. */
export async function changeReviews(
  driver: Driver,
  { ada, ben }: Cast,
  { path, file }: { path: Record<string, string>; file: string },
): Promise<void> {
  const { change } = driver;
  await change("setMergeRequestDraft", { by: ada, path, body: { draft: true } });
  // A draft waits to be ready.
  await change("enableAutoMerge", { by: ada, path, body: { strategy: "squash" } });
  await change("cancelAutoMerge", { by: ada, path });
  await change("setMergeRequestDraft", { by: ada, path, body: { draft: false } });
  await change("setReviewers", { by: ada, path, body: { reviewers: ["ben"] } });
  const body = { path: file, line: 1, body: "Why?" };
  const thread = (await change("createThread", { by: ben, path, body })).json.id as string;
  const one = { ...path, thread };
  await change("createThreadComment", { by: ada, path: one, body: { body: "So." } });
  await change("resolveThread", { by: ben, path: one });
  await change("reopenThread", { by: ada, path: one });
  const pending = async () => {
    const review = (await change("createReview", { by: ben, path, body: {} })).json.id as string;
    return { ...path, review };
  };
  await change("deleteReview", { by: ben, path: await pending() });
  const review = await pending();
  await change("updateReview", { by: ben, path: review, body: { body: "Good." } });
  await change("submitReview", { by: ben, path: review, body: { event: "approve" } });
  await changeReactions(driver, ben, { text: "Review", path: review });
  await change("dismissReview", { by: ada, path: review, body: { reason: "Too soon." } });
}
