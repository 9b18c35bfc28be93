/** What somebody decides who submits a review. */
import { Option } from "commander";

/** What one decides; exactly one of them is given. */
export function decisionOptions(): Option[] {
  const names = ["approve", "requestChanges", "comment"];
  const without = (name: string) => names.filter((each) => each !== name);
  return [
    new Option("--approve", "it can be merged").conflicts(without("approve")),
    new Option("--request-changes", "it cannot be merged like this").conflicts(without("requestChanges")),
    new Option("--comment", "neither of both").conflicts(without("comment")),
  ];
}
