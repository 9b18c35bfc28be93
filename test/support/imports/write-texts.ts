/** Texts as an import writes them, without one that runs. */
import type { ApiServer } from "../api-server.ts";

const at = { createdAt: new Date("2020-01-01"), updatedAt: new Date("2020-01-01") };
const sha = "a".repeat(40);

/** Issue 1 and a merge request 2 with a comment, a review and a thread, all by and assigned to `name` (HOST/LOGIN). */
export async function writeTexts(server: ApiServer, repositoryId: string, name: string): Promise<void> {
  const { importWriter: writer } = server.container.collaboration;
  const by = { userId: null, name };
  const item = {
    title: "Old",
    body: "Words",
    by,
    labels: [],
    assigneeIds: [],
    milestone: null,
    locked: false,
  };
  const open = { state: "open", closedAt: null, ...at } as const;
  const branches = { source: "topic", target: "main", head: sha, targetSha: sha, base: null };
  const place = { path: "a.txt", side: "new", line: 1, startLine: null, sha, excerpt: "" } as const;
  await server.container.platform.db.transaction(async (tx) => {
    const assigned = { ...item, unnamedAssignees: [name] };
    await writer.issue(tx, repositoryId, { ...assigned, ...open, number: 1, reason: null });
    const merged = { ...open, draft: false, mergedAt: null, mergeSha: null };
    await writer.mergeRequest(tx, repositoryId, { ...item, ...merged, ...branches, number: 2 });
    await writer.comment(tx, repositoryId, { number: 1, body: "Said", by, ...at });
    const review = { number: 2, body: "Good", by, state: "approved", headSha: sha } as const;
    await writer.review(tx, repositoryId, { ...review, createdAt: at.createdAt });
    const thread = { ...place, isOutdated: false, resolvedAt: null };
    await writer.lineComment(tx, repositoryId, {
      number: 2,
      body: "Here",
      by,
      reviewId: null,
      thread,
      ...at,
    });
  });
}
