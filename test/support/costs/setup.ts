/** Before each test file, in its process: measures what the file costs and hands it to the reporter. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { meterCosts, type FileCosts } from "./file-costs.ts";

const meter = meterCosts();
let place: { costs?: FileCosts } | undefined;

beforeAll(() => meter.endOf("import"));
beforeEach(({ task }) => {
  if (!place) meter.endOf("setUp");
  place = task.file.meta;
});
afterEach(() => meter.endOf("tests"));
// Registered first, it runs after all such hooks of the file.
afterAll(() => {
  const costs = meter.stop();
  if (place) place.costs = costs;
});
