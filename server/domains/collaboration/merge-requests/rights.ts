/** What is said to those who may not. */
import type { ViewerMay } from "@forgeline/schemas/work-items/resource.ts";
import { AppError } from "../../../platform/app-error.ts";

const refusals = {
  edit: "Only the author, and those with Maintain, change title, description, draft and target branch.",
  close: "Only the author, and those with Triage, close and reopen it.",
  triage: "It takes Triage to set labels, assignees and milestone.",
} as const satisfies Partial<Record<keyof ViewerMay, string>>;

/** Throws `forbidden`. */
export function requireRight(may: ViewerMay, right: keyof typeof refusals): void {
  if (!may[right]) throw new AppError("forbidden", { message: refusals[right] });
}
