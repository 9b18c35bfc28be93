/** `forgeline review`: reviews of merge requests, and threads on lines of what they change. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addReviewCommands } from "./review.ts";
import { addThreadCommands } from "./threads.ts";

export function reviewCommand(): Command {
  const review = new Command("review").description(
    "Reviews of merge requests: comments on lines, approvals and requests for changes",
  );
  addReviewCommands(review);
  addThreadCommands(review);
  addExamples(review, [
    "forgeline review comment 12 src/upload.ts:40-42 --body 'This can be null.' --pending",
    "forgeline review submit 12 --request-changes --body 'Nearly there.'",
    "forgeline review submit 12 --approve",
    "forgeline review threads 12 --state open",
  ]);
  return review;
}
