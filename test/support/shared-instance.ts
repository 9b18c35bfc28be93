/**
 * One whole instance for those test files of a process that only use it: starting one takes five seconds of processor
 * time. It ends with the process.
 */
import { startTestInstance, type TestInstance } from "./instance.ts";
import { atProcessEnd } from "./process-end.ts";

export type SharedInstance = Omit<TestInstance, "stop">;

let shared: Promise<TestInstance> | undefined;

/** With one server, one worker and one runner, as they are by default. What a test makes in it has names of its own. */
export function sharedInstance(): Promise<SharedInstance> {
  if (!shared) {
    const starting = startTestInstance();
    shared = starting;
    atProcessEnd(async () => (await starting).stop());
  }
  return shared;
}
