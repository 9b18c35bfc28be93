/** Asking the packet filter of the kernel, by `forgeline-init` as a process of this runner or in a container. */
import type { Answer } from "./answers.ts";
import type { Frame } from "./netlink.ts";

export interface Kernel {
  /** One answer for each frame. Rejects when the filter cannot be reached, with the reason in words. */
  ask(frames: readonly Frame[]): Promise<Answer[]>;
  /** Name servers that were seen where the filter is, by the last answer; none where they are this machine's. */
  resolvers(): readonly string[];
  /** The network is still the one that the last answer was of; false where that is unknown. */
  isSame(): Promise<boolean>;
  close(): void;
}

/** Throws, with the reason, when the kernel refuses it. */
export async function askOne(kernel: Kernel, frame: Frame): Promise<{ count: number }> {
  const [answer] = await kernel.ask([frame]);
  if (answer === undefined || answer.refused !== null) throw new Error(answer?.refused ?? "no answer");
  return answer;
}
