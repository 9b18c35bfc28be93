/** What the conversation of a merge request shows beside its record, by the head. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { totalOf } from "../../api/total.ts";
import { reviewCalls, type MergeRequestPath } from "../reviews/review-calls.ts";
import { createEarlyAnswer } from "./early-answer.ts";

export interface Requirements {
  approvals: Schemas["MergeRequestApprovals"];
  checks: Schemas["MergeRequestCheck"][];
}

export const commitsPerPage = 100;

export const earlyThreads = createEarlyAnswer((path) => reviewCalls(path).threads());
export const earlyReviews = createEarlyAnswer((path) => reviewCalls(path).reviews());
export const earlyRequirements = createEarlyAnswer(askRequirements);
export const earlyCommits = createEarlyAnswer((path, signal) => askCommits(path, 1, signal));

async function askRequirements(path: MergeRequestPath, signal?: AbortSignal): Promise<Requirements> {
  const sent = signal ? { signal } : {};
  const [approvals, checks] = await Promise.all([
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/approvals", { params: { path }, ...sent }),
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/checks", {
      params: { path, query: { per_page: 100 } },
      ...sent,
    }),
  ]);
  return { approvals: approvals.data!, checks: checks.data ?? [] };
}

/** A page of them, newest first. */
export async function askCommits(path: MergeRequestPath, page: number, signal?: AbortSignal) {
  const { data, response } = await api.GET("/repos/{owner}/{repo}/merge-requests/{number}/commits", {
    params: { path, query: { page, per_page: commitsPerPage } },
    ...(signal ? { signal } : {}),
  });
  return { commits: data ?? [], total: totalOf(response) };
}
