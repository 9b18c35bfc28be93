/** Before each test file, in its process: measures what the file costs and hands it to the reporter. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { meterCosts } from "./file-costs.ts";

const meter = meterCosts();
let isSetUp = false;

beforeAll(() => meter.endOf("import"));
beforeEach(() => {
  if (!isSetUp) meter.endOf("setUp");
  isSetUp = true;
});
afterEach(() => meter.endOf("tests"));
// Registered first, it runs after all such hooks of the file.
afterAll(({}, suite) => {
  suite.file.meta.costs = meter.stop();
});
