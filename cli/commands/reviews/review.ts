/** `forgeline review list|view|submit|delete|dismiss`. */
import type { Command } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import type { RepositoryName } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";
import { parseNumber } from "../merge-requests/show.ts";
import { decisionOptions } from "./decision-options.ts";
import { renderReview, standingOf, type Review } from "./show.ts";

interface SubmitOptions {
  approve?: true;
  requestChanges?: true;
  comment?: true;
  body?: string;
  sha?: string;
}

export function addReviewCommands(review: Command): void {
  review
    .command("list <number>")
    .description("List the reviews of a merge request, oldest first, and last your own pending one")
    .action(list);
  review
    .command("view <number> <review>")
    .description("Show a review, and the comments that came with it")
    .action(view);
  const submitted = review
    .command("submit <number>")
    .description("Submit your pending review of a merge request, or a new one where there is none")
    .option("-m, --body <text>", "what you say of the whole, as Markdown")
    .option("--sha <commit>", "the head that you looked at (default: the head now, or when you began)");
  for (const option of decisionOptions()) submitted.addOption(option);
  submitted.action(submit);
  review
    .command("delete <number> <review>")
    .description("Throw your pending review away, with its comments")
    .action(remove);
  review
    .command("dismiss <number> <review>")
    .description("Dismiss an approval or a request for changes, or withdraw your own")
    .requiredOption("--reason <text>", "why")
    .action(dismiss);
}

type Place = RepositoryName & { number: number };

const reviewsOf = (api: ForgelineClient, path: Place) =>
  everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/reviews", { params: { path, query } }),
  );

async function list(text: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const found = await reviewsOf(api, { ...(await repository()), number: parseNumber(text) });
  const rows = found.map((each) => [
    each.id,
    each.author?.username ?? "",
    standingOf(each),
    each.commit_sha.slice(0, 12),
    String(each.comments_count),
    each.submitted_at ?? "",
  ]);
  print(found, () =>
    renderList("reviews", ["ID", "AUTHOR", "SAYS", "COMMIT", "COMMENTS", "SUBMITTED"], rows),
  );
}

/** Those that came with it; of a pending one only its author finds them, in the threads. */
async function commentsOf(api: ForgelineClient, path: Place, { id, state }: Review) {
  const all =
    state === "pending"
      ? (
          await everyPage((query) =>
            api.GET("/repos/{owner}/{repo}/merge-requests/{number}/threads", { params: { path, query } }),
          )
        ).flatMap(({ comments }) => comments)
      : await everyPage((query) =>
          api.GET("/repos/{owner}/{repo}/merge-requests/{number}/comments", { params: { path, query } }),
        );
  return all.filter(({ review_id: reviewId }) => reviewId === id);
}

async function view(text: string, id: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const place = { ...(await repository()), number: parseNumber(text) };
  const params = { path: { ...place, review: id } };
  const found = await valueOf(
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/reviews/{review}", { params }),
  );
  const comments = found.comments_count === 0 ? [] : await commentsOf(api, place, found);
  print({ ...found, comments }, () => renderReview(found, comments));
}

function eventOf({ approve, requestChanges, comment }: SubmitOptions) {
  if (approve) return "approve";
  if (requestChanges) return "request_changes";
  if (comment) return "comment";
  throw new UsageError("give --approve, --request-changes or --comment");
}

async function submit(text: string, options: SubmitOptions, command: Command): Promise<void> {
  const event = eventOf(options);
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const pending = (await reviewsOf(api, path)).find(({ state }) => state === "pending");
  const body = { event, ...omitUndefined({ body: options.body, commit_sha: options.sha }) } as const;
  const submitted = await valueOf(
    pending
      ? api.POST("/repos/{owner}/{repo}/merge-requests/{number}/reviews/{review}/submit", {
          params: { path: { ...path, review: pending.id } },
          body,
        })
      : api.POST("/repos/{owner}/{repo}/merge-requests/{number}/reviews", { params: { path }, body }),
  );
  print(submitted, () => `submitted: ${standingOf(submitted)}, ${submitted.web_url}`);
}

async function remove(text: string, id: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text), review: id } };
  await valueOf(api.DELETE("/repos/{owner}/{repo}/merge-requests/{number}/reviews/{review}", { params }));
  print({ id }, () => "deleted your pending review");
}

async function dismiss(
  text: string,
  id: string,
  { reason }: { reason: string },
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text), review: id } };
  const dismissed = await valueOf(
    api.POST("/repos/{owner}/{repo}/merge-requests/{number}/reviews/{review}/dismiss", {
      params,
      body: { reason },
    }),
  );
  print(dismissed, () => `dismissed the review of ${dismissed.author?.username ?? "a deleted account"}`);
}
