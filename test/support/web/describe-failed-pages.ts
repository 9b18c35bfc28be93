/** After a test that failed: what stood on its pages, for whom a time-out alone tells nothing. */
import { afterEach } from "vitest";
import { describeOpenPages } from "./open-pages.ts";

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  for (const description of await describeOpenPages()) console.log(description);
});
