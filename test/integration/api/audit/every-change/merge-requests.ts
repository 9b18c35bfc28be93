/** A merge request from its proposal to what comes after the merge. */
import type { Driver } from "./driver.ts";
import type { Cast } from "./organization.ts";
import { changeReviews } from "./reviews.ts";
import { changeReactions } from "./reactions.ts";
import { takeMerged, updateBranches } from "./branches-of-merge-requests.ts";
import { resolvedConflicts } from "./resolved-conflicts.ts";
import { changeQueue } from "./merge-queue.ts";
import { seenAndSuggested } from "./seen-and-suggested.ts";

export async function changeMergeRequests(
  driver: Driver,
  cast: Cast,
  R: Record<string, string>,
): Promise<void> {
  const { change } = driver;
  const { ada } = cast;
  await change("createBranch", { by: ada, path: R, body: { name: "proposed" } });
  const content = Buffer.from("x").toString("base64");
  const file = { message: "Propose", content, branch: "proposed" };
  await change("putContents", { by: ada, path: { ...R, path: "proposed.txt" }, body: file });
  const wanted = { title: "One", source_branch: "proposed" };
  const { number } = (await change("createMergeRequest", { by: ada, path: R, body: wanted })).json;
  const path = { ...R, number: String(number) };
  await change("updateMergeRequest", { by: ada, path, body: { title: "Two" } });
  await change("createMergeRequestComment", { by: ada, path, body: { body: "Three" } });
  await changeReactions(driver, ada, { text: "MergeRequest", path });
  for (const each of ["putMergeRequestSubscription", "deleteMergeRequestSubscription"])
    await change(each, { by: ada, path });
  await seenAndSuggested(driver, ada, path);
  await changeReviews(driver, cast, { path, file: "proposed.txt" });
  await updateBranches(driver, ada, path);
  await runAgain(driver, ada, { R, path });
  await resolvedConflicts(driver, ada, path);
  await change("closeMergeRequest", { by: ada, path });
  await change("reopenMergeRequest", { by: ada, path });
  await changeQueue(driver, ada, path);
  await change("mergeMergeRequest", { by: ada, path, body: {} });
  await takeMerged(driver, ada, path);
}

async function runAgain(
  { change, server }: Driver,
  by: string,
  { R, path }: { R: Record<string, string>; path: Record<string, string> },
): Promise<void> {
  const set = (kind: string) =>
    server.api("PATCH", `/repos/${R["owner"]}/${R["repo"]}`, {
      token: by,
      body: { merge_request_pipelines: kind },
    });
  await set("merged_result");
  await change("runMergeRequestPipelines", { by, path });
  await set("head");
}
