/** Vitest's environment of all tests: Node as it is, and what is ended with the process. */
import type { Environment } from "vitest/runtime";
import { endProcess } from "./process-end.ts";

const environment: Environment = {
  name: "forgeline",
  viteEnvironment: "ssr",
  setup: () => ({ teardown: endProcess }),
};
export default environment;
